/** Icons as strokes in a square of 24. The server names those on bars. */
const strokes = {
  'chevron-left': 'M15 5l-7 7 7 7',
  'chevron-right': 'M9 5l7 7-7 7',
  'arrow-left': 'M20 12H5M11 5l-7 7 7 7',
  'arrow-right': 'M4 12h15M13 5l7 7-7 7',
  plus: 'M12 5v14M5 12h14',
  minus: 'M6 12h12',
  cross: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7',
  pencil: 'M5 19l1-4L16.5 4.5l3 3L9 18z',
  folder: 'M3 7.5V18a1.5 1.5 0 0 0 1.5 1.5h15A1.5 1.5 0 0 0 21 18V9a1.5 1.5 0 0 0-1.5-1.5H12L10 5H4.500A1.500 1.500 0 0 0 3 6.500z',
  camera: 'M3 8.500h4L9 5.500h6l2 3h4v10.500H3zM12 17a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7',
  grip: 'M5 9h14M5 15h14',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13M15.500 15.500L20 20',
  select: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17M8 12.200l2.800 2.800L16 9.500',
  dots: 'M5.500 12h.01M12 12h.01M18.500 12h.01',
  order: 'M8 5v14M4.500 15.500L8 19l3.500-3.500M16 19V5M12.500 8.500L16 5l3.500 3.500',
  earlier: 'M20 12H9M13 7l-5 5 5 5M4 5v14',
  later: 'M4 12h11M11 7l5 5-5 5M20 5v14',
  up: 'M12 20V5M6 11l6-6 6 6',
  down: 'M12 4v15M6 13l6 6 6-6',
  house: 'M4 11l8-7 8 7M6 9.500V20h12V9.500M10 20v-6h4v6',
  photo: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.500 9h.01',
  star: 'M12 4l2.500 5.200 5.700.8-4.100 4 1 5.700L12 17l-5.100 2.700 1-5.700-4.100-4 5.700-.8z',
  info: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17M12 11v5.500M12 7.500h.01',
  box: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  tag: 'M4 4.500h7.500L20 13l-7 7-8.500-8.500zM8.500 8.500h.01',
  clock: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17M12 7.500V12l3 2',
  sliders: 'M4 8h9M17 8h3M4 16h3M11 16h9M15 10.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400M9 18.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  thing: 'M12 3.500l7.500 4.250v8.500L12 20.500l-7.500-4.250v-8.500zM4.500 7.750L12 12l7.500-4.250M12 12v8.500',
  car: 'M4 16.500v-4l2-5.500h12l2 5.500v4zM4 12.500h16M7.500 16.500v2M16.500 16.500v2M7.500 14.500h.01M16.500 14.500h.01',
  trash: 'M5 7h14M10 7V5h4v2M7 7l1 13h8l1-13',
};

/** A decorative icon beside a text. Null for an unknown name. */
export function icon(name) {
  const path = strokes[name];
  if (!path) return null;
  const space = 'http://www.w3.org/2000/svg';
  const drawing = document.createElementNS(space, 'svg');
  drawing.setAttribute('viewBox', '0 0 24 24');
  drawing.setAttribute('class', `icon icon-${name}`);
  drawing.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(space, 'path');
  line.setAttribute('d', path);
  drawing.append(line);
  return drawing;
}
