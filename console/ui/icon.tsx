/** Strokes on a grid of 24, in the manner of Lucide. */
const PATHS = {
  overview: 'M3 13a9 9 0 1 1 18 0M12 13l4-4M7 20h10',
  stack: 'm12 3 9 5-9 5-9-5 9-5ZM3 12.5l9 5 9-5M3 17l9 5 9-5',
  key: 'M15.5 7.5a3 3 0 1 1-3 3M10.4 12.1 3 19.5V21h3v-2h2v-2h2l2.4-2.4M14 15a5 5 0 1 0-4-4',
  usage: 'M4 20V10M10 20V4M16 20v-7M22 20H2',
  requests: 'M3 12h4l3-8 4 16 3-8h4',
  audit: 'M12 3 4 6v6c0 4.5 3.2 7.7 8 9 4.8-1.3 8-4.5 8-9V6l-8-3Zm-3 9 2 2 4-4',
  chat: 'M21 12a8 8 0 0 1-8 8H4l2-3.2A8 8 0 1 1 21 12Z',
  image: 'M4 4h16v16H4zM4 16l5-5 5 5M13 15l2.5-2.5L20 17M15 8.5h.01',
  extract:
    'M4 8V5a1 1 0 0 1 1-1h3M16 4h3a1 1 0 0 1 1 1v3M20 16v3a1 1 0 0 1-1 1h-3M8 20H5a1 1 0 0 1-1-1v-3M8 9h8M8 12h8M8 15h4',
  pdf: 'M14 3H6a1 1 0 0 0-1 1v16a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V8l-5-5ZM14 3v5h5M9 13h6M9 17h6',
  knowledge:
    'M12 6.5C10 5 7 4.5 3 5v13c4-.5 7 0 9 1.500C14 18 17 17.500 21 18V5c-4-.5-7 0-9 1.500ZM12 6.5v13',
  schema:
    'M8 4c-2 0-3 1-3 3v2.500c0 1.500-.7 2.500-2 2.500 1.300 0 2 1 2 2.500V17c0 2 1 3 3 3M16 4c2 0 3 1 3 3v2.500c0 1.500.7 2.500 2 2.500-1.300 0-2 1-2 2.500V17c0 2-1 3-3 3',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'm5 12.500 4.500 4.500L19 7.500',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  plus: 'M12 5v14M5 12h14',
  down: 'm6 9 6 6 6-6',
  up: 'm6 15 6-6 6 6',
  right: 'm9 6 6 6-6 6',
  left: 'm15 6-6 6 6 6',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13ZM20 20l-4.800-4.800',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 3v1.500M12 19.500V21M3 12h1.500M19.500 12H21M5.600 5.600l1.100 1.100M17.300 17.300l1.100 1.100M5.600 18.400l1.100-1.100M17.300 6.700l1.100-1.100',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500Z',
  screen: 'M3 5h18v11H3zM9 20h6M12 16v4',
  signOut: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
  download: 'M12 4v11M7 10.500l5 5 5-5M4 20h16',
  upload: 'M12 16V5M7 9.500l5-5 5 5M4 20h16',
  send: 'M12 20V5M5.500 11.500 12 5l6.500 6.500',
  stop: 'M7 7h10v10H7z',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  refresh: 'M20 5v5h-5M4 19v-5h5M5.500 9.500A7 7 0 0 1 19 8.500M18.500 14.500A7 7 0 0 1 5 15.500',
  warning: 'M12 4 2.500 20h19L12 4ZM12 10v4.500M12 17.300h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5M12 8h.01',
  terminal: 'm5 8 4 4-4 4M12 17h7',
  eye: 'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  record: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 15.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7Z',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  edit: 'M4 20h4L19 9l-4-4L4 16v4ZM13 7l4 4',
  lock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  compare: 'M4 5h7v14H4zM13 5h7v14h-7z',
  branch:
    'M7 7v10M7 17a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5ZM7 2a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5ZM17 5a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5ZM17 10c0 4-4 3-8.500 7',
  shuffle: 'M3 7h4l9 10h5M3 17h4l2.500-2.800M13.500 9.800 16 7h5M18 4l3 3-3 3M18 14l3 3-3 3',
  pause: 'M8 5v14M16 5v14',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.500 20.500c.8-3.700 3.700-6 7.500-6s6.700 2.300 7.500 6',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside a word; readers of the screen hear the word only. */
export function Icon({
  name,
  size = 16,
  className = '',
}: {
  name: IconName;
  size?: number;
  className?: string;
}) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 3 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${className}`}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
