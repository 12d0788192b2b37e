import Navigation

extension Texts {
  static let arabic = Texts(
    direction: .rightToLeft,
    sentinel: "لا مزيد من العناصر!",
    screens: .arabic,
    worthMore: { "أكثر من \($0.grouped)$" },
    remainder: "الباقي",
    problems: "المشكلات",
    title: arabicTitle,
    explanation: arabicExplanation)
}

extension ScreenTexts {
  fileprivate static let arabic = ScreenTexts(
    back: "رجوع", add: "إضافة", cancel: "إلغاء", edit: "تعديل", done: "تم", save: "حفظ",
    move: "نقل", previous: "السابق", photos: "الصور", next: "التالي", deleteLabel: "إزالة",
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
private func arabicTitle(_ code: ProblemCode) -> String {
  switch code {
  case .malformedJSON: "المحتوى ليس بصيغة JSON"
  case .malformedQuery: "تعذّرت قراءة معاملات العنوان"
  case .malformedHeader: "تعذّرت قراءة أحد حقول الترويسة"
  case .listForbids: "القائمة لا تسمح بذلك"
  case .hostForbidden: "هذا الخادم لا يجيب عن ذلك المضيف"
  case .originForbidden: "لا يحق لموقع آخر أن يفعل ذلك"
  case .unauthenticated: "يلزم رمز دخول"
  case .roleForbids: "دورك لا يسمح بذلك"
  case .notFound: "غير موجود"
  case .methodNotAllowed: "الطريقة غير مسموح بها هنا"
  case .ambiguousPath: "المسار يدل على أكثر من شيء"
  case .anchorGone: "الصف المجاور ليس في القائمة"
  case .contentsList: "قائمة المحتويات تتبع عنصرها"
  case .cycle: "لا يمكن وضع قائمة داخل نفسها"
  case .idTaken: "المعرّف مستخدم"
  case .kindMismatch: "القائمة تقبل نوعًا آخر من العناصر"
  case .listMovedOn: "تغيّرت القائمة"
  case .listNotEmpty: "القائمة ليست فارغة"
  case .notThePresentRows: "ليست هذه صفوف القائمة تمامًا"
  case .notThePresentPhotos: "ليست هذه صور العنصر تمامًا"
  case .notThePresentTabs: "ليست هذه علامات التبويب تمامًا"
  case .idempotencyKeyReused: "المفتاح لطلب آخر"
  case .importGone: "تُرك الاستيراد"
  case .importRunning: "يجري استيراد آخر"
  case .lineConflicts: "بعض الأسطر لا يوافق ما هو موجود"
  case .invalidLines: "بعض الأسطر غير صالح"
  case .resync: "اقرأ من جديد"
  case .tooManyStreams: "متابعو الأحداث كثيرون جدًا"
  case .rootList: "القائمة الجذر تبقى في مكانها"
  case .rowMoved: "الصف صار في مكان آخر"
  case .sentinelImmovable: "لا يمكن نقل الصف الأخير"
  case .sentinelLast: "لا شيء يأتي بعد الصف الأخير"
  case .sentinelUndeletable: "لا يمكن حذف الصف الأخير"
  case .stackFull: "مكدّس الشاشات ممتلئ"
  case .tooManyNavigators: "المتصفّحات المحفوظة كثيرة جدًا"
  case .inTrash: "في سلة المهملات"
  case .preconditionFailed: "حدث تغيير في هذه الأثناء"
  case .rangeNotSatisfiable: "لا توجد بايتات كهذه"
  case .tooManyPhotos: "الصور كثيرة جدًا"
  case .unsupportedImage: "ليست صورة من نوع معروف"
  case .unsupportedMediaType: "نوع المحتوى غير مدعوم"
  case .invalid: "بعض الحقول غير صالحة"
  case .tooManyRows: "صفوف كثيرة جدًا دفعة واحدة"
  case .preconditionRequired: "يلزم شرط مسبق"
  case .internalError: "حدث خطأ هنا"
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
    "محتوى الطلب ليس JSON بترميز UTF-8، أو يذكر المفتاح نفسه مرتين. تحدد التفاصيل الموضع الذي توقفت عنده القراءة: البايت والسطر والعمود."
  case .malformedQuery:
    "في الجزء الذي يلي علامة الاستفهام من العنوان علامة نسبة مئوية لا يتبعها رقمان ستة عشريان، أو أنه ليس بترميز UTF-8. رمّز القيم قبل إرسالها."
  case .malformedHeader:
    "أحد حقول الترويسة مكتوب على غير ما يحدده HTTP. وسم الكيان مثلًا يوضع بين علامتي اقتباس: If-Match: \"41\"."
  case .listForbids:
    "تحدد كل قائمة هل يجوز إضافة صفوفها وتعديلها ونقلها وحذفها. إحدى القوائم التي يمسها هذا التغيير لا تسمح به. يستطيع المالك تغيير أذونات القائمة."
  case .hostForbidden:
    "لا يذكر حقل Host أيًا من المضيفين الذين يجيب عنهم هذا الخادم: أسماء الجهاز نفسه وما أُضيف بالخيار --allow-host. هذا يمنع صفحات الويب التي وُجّه اسمها إلى هذا الجهاز."
  case .originForbidden:
    "يأتي الطلب من صفحة ويب في موقع آخر، كما يبيّن حقل Origin أو Sec-Fetch-Site، ويطلب تغييرًا. لا يجوز ذلك إلا لصفحات مضيف هذا الخادم نفسه."
  case .unauthenticated:
    "لا يحمل الطلب رمز دخول، أو يحمل رمزًا غير معروف أو ملغى. أرسله هكذا: Authorization: Bearer rh_…؛ ينشئ الرمز مالك المخزون، أو الأمر rowhouse token create على جهاز الخادم."
  case .roleForbids:
    "القارئ يرى، والمحرر يغيّر القوائم والعناصر، والمالك يحدد ما تسمح به القوائم. هذا الأمر يحتاج إلى أكثر من دورك."
  case .notFound:
    "لا شيء في هذا العنوان، أو لا شيء يحق لك رؤيته. قد يكون في المعرّف خطأ، أو أنه يدل على نوع آخر: عنصر حيث تُقصد قائمة."
  case .methodNotAllowed:
    "العنوان صحيح، لكنه لا يستجيب لهذه الطريقة. يذكر حقل Allow في الإجابة الطرق التي يستجيب لها."
  case .ambiguousPath:
    "في الطريق إلى الأسفل عنوان يتكرر في إحدى القوائم. أعد تسمية أحدهما، أو استخدم أحد المعرّفات المرشحة."
  case .anchorGone:
    "حُدد مكان بالصف الذي قبله أو بعده، أو صفحة بالصف الذي تبدأ بعده، وذلك الصف ليس في القائمة أو لم يعد فيها. اقرأ القائمة من جديد واختر غيره."
  case .contentsList:
    "ما يحتويه عنصر هو قائمة مستقلة، لكنها ليست صفًا: تُنقل وتُحذف وتُستعاد مع عنصرها فقط."
  case .cycle:
    "لا يمكن نقل قائمة إلى نفسها أو إلى قائمة تقع تحتها، ولا عنصر إلى محتوياته."
  case .idTaken:
    "اخترت معرّفًا تحمله قائمة أخرى أو عنصر آخر. تشترك القوائم والعناصر في المعرّفات. اختر معرّفًا جديدًا أو دع الخادم ينشئه."
  case .kindMismatch:
    "قد تقبل القائمة الأغراض فقط أو السيارات فقط. هذه تقبل النوع الآخر."
  case .listMovedOn:
    "طلبت صفحة من القائمة كما كانت عند مراجعة معينة، وقد تغيّرت الصفوف منذ ذلك الحين. التغييرات المرفقة تحدّث الصفوف التي لديك."
  case .listNotEmpty:
    "ما زالت في القائمة صفوف ستُحذف معها. لحذفها جميعًا أعد الطلب مع ?recursive=true."
  case .notThePresentRows:
    "يجب أن يذكر الترتيب الجديد كل صف من صفوف القائمة مرة واحدة. تبيّن الإجابة الناقص منها، وما ليس في القائمة، وما تكرر."
  case .notThePresentPhotos:
    "يجب أن يذكر الترتيب الجديد كل صورة من صور العنصر مرة واحدة. تبيّن الإجابة الناقص منها، وما ليس من صور العنصر، وما تكرر."
  case .notThePresentTabs:
    "يجب أن يذكر الترتيب الجديد كل علامة تبويب مرة واحدة. تبيّن الإجابة الناقص منها، وما ليس موجودًا، وما تكرر."
  case .idempotencyKeyReused:
    "يدل Idempotency-Key على طلب واحد، حتى يمكن إرساله مرة بعد مرة إلى أن يُجاب. وقد سبق بهذا المفتاح طلب إلى هذا المسار بمحتوى آخر أو معاملات أخرى. اختر مفتاحًا جديدًا لطلب جديد."
  case .importGone:
    "انقطع الاستيراد، أو أعيد تشغيل الخادم أثناء وصوله. لم يبق منه شيء. أرسله من جديد."
  case .importRunning:
    "لا يُستقبل إلا استيراد كبير واحد في الوقت نفسه. حاول من جديد حين ينتهي الآخر."
  case .lineConflicts:
    "يذكر كل سطر من الاستيراد قائمة أو عنصرًا بمعرّفه. بعض هذه المعرّفات يحمله شيء آخر، أو هو في مكان آخر، أو لا وجود لأصله. لم يتغيّر شيء. تذكر الإجابة الأسطر وما بكل منها."
  case .invalidLines:
    "سطر مما أُرسل لا تمكن قراءته أو يخالف قاعدة. لم يتغيّر شيء. تذكر الإجابة كل سطر، والعد من 1، وما هو الصواب. والملف الذي ينتهي قبل أوانه يُذكر بسطره الأخير."
  case .resync:
    "لم يعد معروفًا ما تغيّر منذ المراجعة التي ذكرتها، أو لا توجد مراجعة كهذه بعد. اقرأ الصفوف من جديد وتابع من المراجعة المذكورة في revision."
  case .tooManyStreams:
    "يتابع الأحداث من العملاء العدد الذي يقبله الخادم. حاول لاحقًا، أو اسأل عن التغييرات من حين إلى آخر."
  case .rootList:
    "كل شيء يقع تحت القائمة الجذر. لا يمكن نقلها ولا حذفها."
  case .rowMoved:
    "الصف الذي في هذا الموضع ليس الصف الذي قصدته: غيّر أحدهم الترتيب في هذه الأثناء. تبيّن الإجابة أين صفك الآن."
  case .sentinelImmovable:
    "الصف الأخير في القائمة لا يقول إلا أن لا شيء بعده. ليس عنصرًا، ويبقى حيث هو."
  case .sentinelLast:
    "الموضع يتجاوز المكان الأخير، وقد طلبت التشدد. من دون ?strict=true يستقر الصف في آخر مكان فوق الصف المثبت."
  case .sentinelUndeletable:
    "الصف الأخير في القائمة لا يقول إلا أن لا شيء بعده. ليس عنصرًا ولا يمكن حذفه؛ لكن يمكن إخفاؤه."
  case .stackFull:
    "يتسع المكدّس لأربع وستين شاشة. ارجع بضع شاشات أو اضبط المكدّس من جديد قبل إضافة شاشة أخرى."
  case .tooManyNavigators:
    "لا يُحفظ لكل واحد إلا عدد محدود من المتصفّحات. احذف ما يخص أجهزة لم تعد مستخدمة: يدلك عليها lastUsedAt."
  case .inTrash:
    "لقد حُذف، أو كان في قائمة حُذفت. تذكر الإجابة ما حُذف، ويمكن استعادته."
  case .preconditionFailed:
    "طلبت تغييرًا بشرط ألا يكون شيء آخر قد تغيّر، لكن شيئًا تغيّر. تبيّن الإجابة ما هو موجود الآن."
  case .rangeNotSatisfiable:
    "يطلب حقل Range بايتات تتجاوز النهاية. يذكر Content-Range عددها."
  case .tooManyPhotos:
    "لكل عنصر عدد محدود من الصور. احذف صورة قبل أن تضيف أخرى."
  case .unsupportedImage:
    "تُرسل الصورة ببايتات ملفها كما هي، لا في نموذج ولا مضغوطة. يُعرف النوع من البايتات مهما قال Content-Type: JPEG وPNG وWebP وHEIC وGIF."
  case .unsupportedMediaType:
    "يجب أن يكون المحتوى JSON وأن يصرّح بذلك: Content-Type: application/json. ويجوز في PATCH أيضًا application/merge-patch+json. المحتوى المضغوط لا يُقرأ."
  case .invalid:
    "يمكن قراءة الطلب، لكن بعض حقوله أو معاملاته ناقص أو مكتوب خطأ أو من نوع غير صحيح أو خارج الحدود. كل منها مذكور في errors مع الصواب."
  case .tooManyRows:
    "لا يتسع التغيير الواحد إلا لعدد محدود من الصفوف. أرسلها على دفعات."
  case .preconditionRequired:
    "الموضع يدل على ما يكون فيه وقت وصول الطلب. اذكر الصف الذي تقصده مع ?id=، أو مراجعة القائمة التي رأيتها مع If-Match."
  case .internalError:
    "أخفق الخادم ولم يغيّر الطلب شيئًا. في سجله المزيد تحت معرّف الطلب."
  case .overloaded:
    "ينتظر من عمليات الكتابة أكثر مما يقبله الخادم. حاول من جديد بعد الوقت المذكور في Retry-After."
  case .shuttingDown:
    "يجري إيقاف الخادم. حاول من جديد حين يعود."
  case .deadlineExceeded:
    "كانت الإجابة ستستغرق أكثر مما يُسمح به لطلب واحد. اطلب أقل دفعة واحدة."
  case .outcomeUnknown:
    "أخفق التخزين أثناء تثبيت التغيير: قد تجده بعد إعادة تشغيل الخادم وقد لا تجده. تحقق قبل أن تكرره."
  case .storageFull:
    "لا مكان للتغيير. القراءة مستمرة، والتغييرات تعود حين يتوفر مكان."
  }
}
