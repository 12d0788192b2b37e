import HTTP
import Inventory
import Navigation

extension Texts {
  static let arabic = Texts(
    name: "العربية",
    direction: .rightToLeft,
    sentinel: "لا مزيد من العناصر!",
    screens: .arabic,
    worthMore: { amount, currency in
      "أكثر من \(amount.grouped)" + (currency.map { " \($0)" } ?? "$")
    },
    remainder: "كل ما عدا ذلك",
    hardToRead: { warning in
      "تصعب قراءة اللون \(warning.tint) على \(warning.bar) بلونه \(warning.barTint). "
        + "التباين بينهما \(warning.contrast). اختر لونين تباينهما 3 أو أكثر."
    },
    interface: { $0.arabic },
    problems: "المشكلات",
    title: arabicTitle,
    explanation: arabicExplanation,
    fault: arabicFault)
}

extension ScreenTexts {
  fileprivate static let arabic = ScreenTexts(
    button: { action in
      switch action {
      case .back: "رجوع"
      case .add: "إضافة"
      case .cancel: "إلغاء"
      case .edit: "تعديل"
      case .done: "تم"
      case .save: "حفظ"
      case .move: "نقل"
      case .previous: "السابق"
      case .photos: "الصور"
      case .next: "التالي"
      }
    },
    deleteLabel: "إزالة",
    editing: { "تعديل \($0)" },
    adding: { kind in
      switch kind {
      case .list: "إضافة قائمة"
      case .thing: "إضافة غرض"
      case .car: "إضافة سيارة"
      }
    },
    moving: { "انقل \($0) إلى قائمة أخرى." },
    about: { "حول \($0)" },
    position: { "\($0) من \($1)" })
}

@Sendable
private func arabicFault(_ fault: RequestFault) -> FaultTexts? {
  switch fault {
  case .bodyTooLarge:
    FaultTexts("المحتوى كبير جدًا", "محتوى الطلب أكبر مما يُقبل هنا. أرسل أقل دفعة واحدة.")
  case .bodyMemoryExhausted:
    FaultTexts(
      "تصل محتويات كثيرة الآن", "يستقبل الخادم محتويات أكثر من اللازم. حاول من جديد بعد قليل.")
  case .bodyTimeout: FaultTexts("تأخر المحتوى", "لم يصل محتوى الطلب كاملًا في الوقت المسموح به.")
  case .malformedChunk:
    FaultTexts("تقسيم المحتوى غير صالح", "أُرسل محتوى الطلب في قطع مكتوبة على غير ما يحدده HTTP.")
  case .malformedTrailer:
    FaultTexts("الحقول الختامية غير صالحة", "الحقول التي تلي محتوى الطلب غير صالحة أو كبيرة جدًا.")
  case .unanswered: FaultTexts("بلا إجابة", "لم يستطع الخادم أن يجيب عن الطلب.")
  default: nil
  }
}

@Sendable
private func arabicTitle(_ code: ProblemCode) -> String {
  switch code {
  case .malformedJSON: "المحتوى ليس بصيغة JSON"
  case .malformedQuery: "تعذّرت قراءة معاملات العنوان"
  case .malformedHeader: "تعذّرت قراءة أحد حقول الترويسة"
  case .listForbids: "القائمة لا تسمح بذلك"
  case .hostForbidden: "مضيف غير معروف"
  case .originForbidden: "طلب من موقع آخر"
  case .unauthenticated: "يلزم رمز دخول"
  case .roleForbids: "دورك لا يسمح بذلك"
  case .notFound: "غير موجود"
  case .invitationInvalid: "الدعوة غير صالحة"
  case .serverOpen: "الخادم غير محمي بعد"
  case .methodNotAllowed: "الطريقة غير مسموح بها هنا"
  case .ambiguousPath: "المسار يطابق عدة صفوف"
  case .anchorGone: "الصف المرجعي ليس في القائمة"
  case .contentsList: "قائمة المحتويات تبقى مع عنصرها"
  case .cycle: "لا يمكن وضع قائمة داخل نفسها"
  case .tooDeep: "مستويات القوائم كثيرة جدًا"
  case .idTaken: "المعرّف مستخدم"
  case .kindMismatch: "القائمة تقبل نوعًا آخر من العناصر"
  case .listMovedOn: "تغيّرت القائمة"
  case .listNotEmpty: "القائمة ليست فارغة"
  case .notThePresentRows: "يجب أن يذكر الترتيب كل صف مرة واحدة"
  case .notThePresentPhotos: "يجب أن يذكر الترتيب كل صورة مرة واحدة"
  case .notThePresentTabs: "يجب أن يذكر الترتيب كل علامة تبويب مرة واحدة"
  case .idempotencyKeyReused: "مفتاح Idempotency-Key يخص طلبًا آخر"
  case .importGone: "أُلغي الاستيراد"
  case .importRunning: "تجري عمليات استيراد كثيرة جدًا"
  case .lineConflicts: "بعض الأسطر يتعارض مع صفوف موجودة"
  case .invalidLines: "بعض الأسطر غير صالح"
  case .resync: "اقرأ الصفوف من جديد"
  case .tooManyStreams: "تدفقات الأحداث كثيرة جدًا"
  case .rootList: "لا يمكن تغيير القائمة الجذر بهذه الطريقة"
  case .rowMoved: "نُقل الصف"
  case .sentinelImmovable: "لا يمكن نقل الصف الأخير"
  case .sentinelLast: "لا صف تحت الصف الأخير"
  case .sentinelUndeletable: "لا يمكن حذف الصف الأخير"
  case .stackFull: "مكدّس الشاشات ممتلئ"
  case .sequenceGap: "ليست هذه أوامر العميل التالية"
  case .tooManySyncClients: "العملاء دون اتصال كثيرون جدًا"
  case .tooManyNavigators: "المتصفّحات المحفوظة كثيرة جدًا"
  case .listGone: "القائمة لم تعد موجودة"
  case .notUndoable: "لا يمكن التراجع عن هذا"
  case .undoConflict: "تغييرات لاحقة تمنع التراجع"
  case .historyGone: "التغيير ليس في السجل"
  case .inTrash: "في سلة المهملات"
  case .preconditionFailed: "تغيّر منذ أن قرأته"
  case .rangeNotSatisfiable: "النطاق يتجاوز النهاية"
  case .renditionTaken: "للصورة نسخة أخرى بهذا الحجم"
  case .tooManyPhotos: "الصور كثيرة جدًا"
  case .unsupportedImage: "نوع صورة غير مدعوم"
  case .unsupportedMediaType: "نوع المحتوى غير مدعوم"
  case .invalid: "بعض الحقول غير صالحة"
  case .tooManyRows: "صفوف كثيرة جدًا في تغيير واحد"
  case .preconditionRequired: "يلزم شرط مسبق"
  case .internalError: "خطأ داخلي"
  case .overloaded: "الخادم مشغول الآن"
  case .shuttingDown: "يجري إيقاف الخادم"
  case .deadlineExceeded: "استغرق الأمر وقتًا أطول من اللازم"
  case .outcomeUnknown: "النتيجة غير معروفة"
  case .storageFull: "مساحة التخزين ممتلئة"
  }
}

@Sendable
private func arabicExplanation(_ code: ProblemCode) -> String {
  switch code {
  case .malformedJSON:
    "محتوى الطلب ليس JSON صالحًا بترميز UTF-8، أو يذكر المفتاح نفسه مرتين. يذكر detail بالإنجليزية البايت والسطر والعمود حيث توقفت القراءة."
  case .malformedQuery:
    "في الجزء الذي يلي علامة الاستفهام من العنوان علامة نسبة مئوية لا يتبعها رقمان ستة عشريان، أو أنه ليس بترميز UTF-8. رمّز القيم قبل إرسالها."
  case .malformedHeader:
    "أحد حقول الترويسة مكتوب على غير ما يحدده HTTP، أو لا ينطبق على هذا الطلب. وسم الكيان مثلًا يوضع بين علامتي اقتباس: If-Match: \"41\"."
  case .listForbids:
    "تحدد كل قائمة هل يجوز إضافة صفوفها وتعديلها ونقلها وحذفها. إحدى القوائم التي يمسها هذا التغيير لا تسمح به. يستطيع المالك تغيير أذونات القائمة."
  case .hostForbidden:
    "يذكر حقل Host مضيفًا لا يقبله هذا الخادم. يقبل الخادم أسماء الجهاز نفسه وما أُضيف بالخيار --allow-host. هذا يحمي من هجوم DNS rebinding."
  case .originForbidden:
    "يبيّن حقل Origin أو Sec-Fetch-Site أن صفحة من موقع آخر أرسلت هذا الطلب. لا يجوز ذلك إلا لصفحات هذا الخادم ولصفحات المواقع المذكورة في الخيار --cors-origin."
  case .unauthenticated:
    "لا يحمل الطلب رمز دخول، أو يحمل رمزًا غير معروف أو ملغى. أرسله هكذا: Authorization: Bearer rh_…؛ ينشئ الرمز مالك المخزون، أو الأمر rowhouse token create على جهاز الخادم."
  case .roleForbids:
    "يستطيع القارئ القراءة، ويستطيع المحرر أيضًا تغيير القوائم والعناصر، ويستطيع المالك أيضًا تغيير الأذونات ورموز الدخول. يحتاج هذا الطلب إلى دور أعلى من دورك، أو إلى رمز للمخزون كله بدل قائمة واحدة."
  case .invitationInvalid:
    "الرمز غير معروف، أو سبق استعماله، أو انتهت مدته، أو لم يعد يحق لمن دعاك أن يدعو. تصلح الدعوة مرة واحدة ولمدة خمس دقائق. اطلب دعوة جديدة."
  case .serverOpen:
    "لا يحتاج أحد إلى رمز وصول هنا بعد. سيكون رمز أول مدعو هو الرمز الوحيد، فلا يستطيع غيره الدخول. أنشئ رمزًا لنفسك أولًا."
  case .notFound:
    "لا شيء في هذا العنوان، أو لا شيء يحق لك رؤيته. قد يكون في المعرّف خطأ، أو أنه يدل على نوع آخر: عنصر حيث تُقصد قائمة."
  case .methodNotAllowed:
    "العنوان صحيح، لكنه لا يستجيب لهذه الطريقة. يذكر حقل Allow في الإجابة الطرق التي يستجيب لها."
  case .ambiguousPath:
    "في إحدى قوائم المسار عدة صفوف بالعنوان نفسه. أعد تسمية أحدها، أو استخدم معرّفًا من candidates."
  case .anchorGone:
    "يشير موضع أو صفحة إلى صف ليس في القائمة أو لم يعد فيها. اقرأ القائمة من جديد واختر صفًا آخر."
  case .contentsList:
    "محتويات العنصر قائمة، لكنها ليست صفًا مستقلًا. انقل العنصر أو احذفه أو استعده بدلًا منها."
  case .cycle:
    "لا يمكن نقل قائمة إلى نفسها أو إلى قائمة تقع تحتها، ولا عنصر إلى محتوياته."
  case .tooDeep:
    "لا تتداخل القوائم إلى ما تحت المستوى المذكور في limit. القائمة الأولى في المستوى 1، ومحتويات العنصر تحت العنصر بمستوى واحد. اختر مكانًا أعلى. وما كان أعمق من ذلك قبل وضع الحد يبقى حيث هو."
  case .idTaken:
    "اخترت معرّفًا تحمله قائمة أخرى أو عنصر آخر. تشترك القوائم والعناصر في المعرّفات. اختر معرّفًا جديدًا أو دع الخادم ينشئه."
  case .kindMismatch:
    "قد تقبل القائمة الأغراض فقط أو السيارات فقط. هذه تقبل النوع الآخر."
  case .listMovedOn:
    "طلبت صفحة عند مراجعة سابقة للقائمة. طبّق delta على الصفوف التي لديك."
  case .listNotEmpty:
    "ما زالت في القائمة صفوف ستُحذف معها. لحذفها جميعًا أعد الطلب مع ?recursive=true."
  case .notThePresentRows:
    "يجب أن يذكر الترتيب الجديد كل صف من صفوف القائمة مرة واحدة. تبيّن الإجابة الناقص منها، وما ليس في القائمة، وما تكرر."
  case .notThePresentPhotos:
    "يجب أن يذكر الترتيب الجديد كل صورة من صور العنصر مرة واحدة. تبيّن الإجابة الناقص منها، وما ليس من صور العنصر، وما تكرر."
  case .notThePresentTabs:
    "يجب أن يذكر الترتيب الجديد كل علامة تبويب مرة واحدة. تبيّن الإجابة الناقص منها، وما ليس موجودًا، وما تكرر."
  case .idempotencyKeyReused:
    "يخص Idempotency-Key طلبًا واحدًا. سبق طلب إلى هذا المسار بالمفتاح نفسه وبمحتوى آخر أو معاملات أخرى. استخدم مفتاحًا جديدًا لطلب جديد."
  case .importGone:
    "انقطع الاستيراد، أو حلّ استيراد آخر محل المخزون، أو أعيد تشغيل الخادم أثناء وصوله. لم يبق منه شيء. أرسله من جديد."
  case .importRunning:
    "لا يجري في الوقت نفسه إلا القليل من عمليات الاستيراد، ولا ينتظر إلا القليل غيرها. حاول من جديد بعد الوقت المذكور في Retry-After."
  case .lineConflicts:
    "في بعض أسطر الاستيراد معرّف مستخدم في مكان آخر، أو أصل غير موجود. لم يتغيّر شيء. يذكر conflicts كل سطر والسبب."
  case .invalidLines:
    "بعض الأسطر لا تمكن قراءته أو يخالف قاعدة. لم يتغيّر شيء. يذكر lines كل سطر، والعد من 1، وما يلزمه. والملف غير المكتمل يُذكر عند سطره الأخير."
  case .resync:
    "لم يعد معروفًا ما تغيّر منذ المراجعة التي ذكرتها، أو لا توجد مراجعة كهذه بعد. اقرأ الصفوف من جديد وتابع من المراجعة المذكورة في revision."
  case .tooManyStreams:
    "في الخادم أكبر عدد يسمح به من تدفقات الأحداث. حاول لاحقًا، أو اسأل عن التغييرات من حين إلى آخر."
  case .rootList:
    "كل شيء يقع تحت القائمة الجذر. لا يمكن نقلها ولا حذفها."
  case .rowMoved:
    "الصف الذي في هذا الموضع ليس الصف الذي له هذا المعرّف. غيّر أحدهم الترتيب. يذكر index موضع الصف الآن."
  case .sentinelImmovable:
    "الصف الأخير المثبت يدل على نهاية القائمة. ليس عنصرًا ولا يمكن نقله."
  case .sentinelLast:
    "الموضع يتجاوز الصف الأخير، وفي الطلب ?strict=true. من دونه يوضع الصف في آخر مكان فوق الصف المثبت."
  case .sentinelUndeletable:
    "الصف الأخير المثبت يدل على نهاية القائمة. ليس عنصرًا ولا يمكن حذفه. لإخفائه غيّر sentinel القائمة."
  case .stackFull:
    "في المكدّس 64 شاشة على الأكثر، وفي كل مكدّسات المتصفّح معًا 128. ارجع، أو استبدل المكدّس، قبل أن تضيف شاشة أخرى."
  case .sequenceGap:
    "يرقّم العميل أوامره 1 ثم 2 ثم 3 وهكذا. يذكر lastSequence رقم آخر أمر نُفّذ. في هذه الدفعة فجوة بعده، أو أمر آخر تحت رقم قد نُفّذ. الأسباب الممكنة ثلاثة: استُعيدت نسخة احتياطية من الخادم، أو لم يُستخدم العميل 400 يوم، أو تُستخدم أيضًا نسخة من بيانات العميل. اختر معرّف عميل جديدًا، واقرأ القوائم من جديد، وأرسل ما بقي بدءًا من 1."
  case .tooManySyncClients:
    "لكل رمز عدد محدود من العملاء دون اتصال. احتفظ بمعرّف العميل بدل اختيار معرّف جديد عند كل تشغيل. يُنسى العميل الذي لا يُستخدم 400 يوم."
  case .tooManyNavigators:
    "لا يُحفظ لكل واحد إلا عدد محدود من المتصفّحات. احذف ما يخص أجهزة لم تعد مستخدمة: يدلك عليها lastUsedAt."
  case .listGone:
    "ما تريد استعادته كان في قائمة حُذفت أيضًا. استعد تلك القائمة أولًا، أو اذكر قائمة أخرى في listId."
  case .notUndoable:
    "بعض التغييرات لا عكس له: قائمة محتويات عنصر، مثلًا، تبقى بعد إنشائها. احذف ما لم تعد تحتاج إليه."
  case .undoConflict:
    "لا يمكن التراجع عن تغيير إلا إذا لم يمسّ أي تغيير لاحق الصفوف أو الحقول نفسها. يذكر conflicts كل صف تغيّر منذ ذلك الحين، ولماذا يمنع التراجع."
  case .historyGone:
    "يحفظ السجل عددًا محدودًا من التغييرات. هذه المراجعة قديمة جدًا أو لا وجود لها بعد. اقرأ الحالة الحالية بدلًا منها."
  case .inTrash:
    "حُذف الصف أو قائمة تحتويه. يذكر trashId الصف المحذوف، ويمكن استعادته."
  case .preconditionFailed:
    "لم يتحقق شرط If-Match: حدث تغيير منذ أن قرأته. في الإجابة الحالة الحالية."
  case .rangeNotSatisfiable:
    "يبدأ حقل Range بعد البايت الأخير. يذكر Content-Range الحجم."
  case .renditionTaken:
    "تُحفظ أول نسخة من كل حجم. استعملها: اقرأ الصورة بهذا الحجم."
  case .tooManyPhotos:
    "لكل عنصر عدد محدود من الصور. احذف صورة قبل أن تضيف أخرى."
  case .unsupportedImage:
    "تُرسل الصورة ببايتات ملفها كما هي، لا في نموذج ولا مضغوطة. يُعرف النوع من البايتات مهما قال Content-Type: JPEG وPNG وWebP وHEIC وGIF."
  case .unsupportedMediaType:
    "أرسل محتوى JSON مع Content-Type: application/json. ويجوز في PATCH أيضًا application/merge-patch+json. أرسل المحتوى من دون Content-Encoding."
  case .invalid:
    "يمكن قراءة الطلب، لكن بعض حقوله أو معاملاته ناقص أو مكتوب خطأ أو من نوع غير صحيح أو خارج الحدود. كل منها مذكور في errors مع الصواب."
  case .tooManyRows:
    "لا يتسع التغيير الواحد إلا لعدد محدود من الصفوف. أرسلها على دفعات."
  case .preconditionRequired:
    "يشترط هذا الخادم شرطًا مسبقًا للتغييرات بحسب الموضع، لأن الصف في الموضع قد يتغيّر. أرسل ?id= مع معرّف الصف، أو If-Match مع ETag القائمة."
  case .internalError:
    "أخفق الخادم ولم يغيّر شيئًا. في سجله تفاصيل تحت معرّف الطلب."
  case .overloaded:
    "في الخادم عمل منتظر أكثر من اللازم. حاول من جديد بعد الوقت المذكور في Retry-After."
  case .shuttingDown:
    "يجري إيقاف الخادم. حاول من جديد بعد إعادة تشغيله."
  case .deadlineExceeded:
    "كانت الإجابة ستستغرق أكثر مما يُسمح به لطلب واحد. اطلب أقل دفعة واحدة."
  case .outcomeUnknown:
    "أخفق التخزين أثناء تثبيت التغيير: قد تجده بعد إعادة تشغيل الخادم وقد لا تجده. تحقق قبل أن تكرره."
  case .storageFull:
    "لا مكان للتغيير. القراءة مستمرة، والتغييرات تعود حين يتوفر مكان."
  }
}
