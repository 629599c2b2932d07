/** Small drawings, one path each, in the colour of the text beside them. They say nothing by themselves. */

/** On a field of 20 by 20. */
const paths = {
  home: 'M3.5 9 10 3.5 16.5 9v7a.5.5 0 0 1-.5.5h-3.5v-5h-5v5H4a.5.5 0 0 1-.5-.5z',
  client: 'M4 3.5h5v5H4zM11.5 3.5h5v5h-5zM4 11.5h5v5H4zM14 11.5v5M11.5 14h5',
  api: 'm7 6-4 4 4 4M13 6l4 4-4 4M11.5 4.5l-3 11',
  person: 'M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 16.5c.4-3 2.8-4.5 6-4.5s5.6 1.5 6 4.5',
  group:
    'M7.5 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM2.5 16c.3-2.6 2.2-4 5-4s4.7 1.4 5 4M13 4.3a2.5 2.5 0 0 1 0 4.4M14.5 12.3c1.8.5 2.8 1.8 3 3.7',
  role: 'M10 3 4.5 5v4.5c0 3.5 2.3 5.9 5.5 7.5 3.2-1.6 5.5-4 5.5-7.5V5zM7.5 10l2 2 3-3.5',
  join: 'M8 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 16.5c.4-3 2.5-4.5 5.5-4.5s5.1 1.5 5.5 4.5M15.5 6v5M13 8.5h5',
  grant: 'M4 10.5 8 14.5 16 5.5',
  session: 'M3.5 4.5h13v9h-13zM7 16.5h6M10 13.5v3',
  device: 'M6 3h8v14H6zM9 14.5h2',
  key: 'M7 13.5a3.5 3.5 0 1 1 3.3-4.7L16.5 9v3h-2v2h-2.5v-2h-1.6A3.5 3.5 0 0 1 7 13.5ZM6.5 10h.01',
  audit: 'M5 3.5h10v13H5zM7.5 7h5M7.5 10h5M7.5 13h3',
  agent: 'M5 7.5h10v8H5zM10 4v3.5M7.5 11h.01M12.5 11h.01M3 10v3M17 10v3',
  brush: 'm9 11 6.5-7.5M9 11c-2 0-2.5 1.5-2.5 3S5 16.5 4 16.5c3.5.8 7-.5 7-3.5z',
  webhook:
    'M10 7.5a2.5 2.5 0 1 0-2.5-2.5M7.5 5l2.5 0-3.6 6.5M4 14a2.5 2.5 0 1 0 4 2M6.4 11.5l7.6 2.5M16 14a2.5 2.5 0 1 1-4 2M10 5l4 9',
  signal:
    'M10 11.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM6.5 13.5a5 5 0 0 1 0-7M13.5 6.5a5 5 0 0 1 0 7M4 16a8.5 8.5 0 0 1 0-12M16 4a8.5 8.5 0 0 1 0 12',
  mail: 'M3.5 5h13v10h-13zM3.5 6l6.5 5L16.5 6',
  settings:
    'M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM10 3v2M10 15v2M3 10h2M15 10h2M5 5l1.5 1.5M13.5 13.5 15 15M5 15l1.5-1.5M13.5 6.5 15 5',
  tenant: 'M4 16.5V4.5h7v12M11 8.5h5v8M3 16.5h14M6.5 7.5h2M6.5 10.5h2M6.5 13.5h2M13.5 11.5h.01M13.5 14h.01',
  tool: 'M12.5 3.5a4 4 0 0 0-3.8 5.2L3.5 14v2.5H6l5.3-5.2A4 4 0 0 0 16.3 6L14 8.3 11.7 6 14 3.7a4 4 0 0 0-1.5-.2Z',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13 13l3.5 3.5',
  plus: 'M10 4v12M4 10h12',
  check: 'M4 10.5 8 14.5 16 5.5',
  close: 'M5 5l10 10M15 5 5 15',
  copy: 'M7 7h9v9H7zM13 7V4H4v9h3',
  menu: 'M3.5 5.5h13M3.5 10h13M3.5 14.5h13',
  more: 'M5 10h.01M10 10h.01M15 10h.01',
  left: 'm12 5-5 5 5 5',
  right: 'm8 5 5 5-5 5',
  warning: 'M10 3.5 17 16H3zM10 8v4M10 14h.01',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 6v4l2.5 2',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 9v4.5M10 6.5h.01',
  trash: 'M4 5.5h12M8 5.5v-2h4v2M5.5 5.5l.7 11h7.6l.7-11M8.5 8.5v5M11.5 8.5v5',
  web: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM3 10h14M10 3c-4 4.5-4 9.5 0 14M10 3c4 4.5 4 9.5 0 14',
  phone: 'M6.5 3h7v14h-7zM9.5 14.5h1',
  terminal: 'M3 4h14v12H3zM6 8l2.5 2L6 12M10.5 12.5h3.5',
  tv: 'M3 5h14v9H3zM7 16.5h6',
  machine: 'M4 4h12v5H4zM4 11h12v5H4zM7 6.5h.01M7 13.5h.01',
  out: 'M8 4H4v12h4M8 10h8M13 7l3 3-3 3',
  refresh: 'M16 10a6 6 0 1 1-2-4.5M16.5 3.5v3.5H13',
  play: 'M6 4.5v11l9-5.5z',
  pause: 'M7 5v10M13 5v10',
  lock: 'M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  theme: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 3v14M10 13.5a3.5 3.5 0 0 0 0-7',
  language: 'M3 5h8M7 3v2M9 5c-.5 4-2.5 6.5-6 8M5 8c1 2.5 3 4 5 5M10 17l3.5-9 3.5 9M11.2 14h4.6',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" width={size} height={size} aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
