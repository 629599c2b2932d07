/** Sample data for what people are asked to allow, and for answers that stay with us: plausible, awkward and hostile. */
import {
  type ConsentData,
  languages,
  type ShownRequest,
  type ShownScope,
  type UnredirectedData,
} from '@grantor/server/pages'
import { minute, now, target } from './samples.ts'

/** What a client calls its logo: wide, dark, on nothing. */
export const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAADAAAAAYAQMAAACGM+yfAAAABlBMVEUAAAAUHjxFZvE7AAAAAnRSTlMA/1uRIrUAAABLSURBVHjaY2BABRwQ6n8DiGT+/wBEsf//AKL4//+w//+Pgb8BTMkz1IAoOQYbkByCAgnaMdhB5TCVQPVBTYGaCbUBah/UdphbwAAAFOYpw8FM+VwAAAAASUVORK5CYII=',
  'base64',
)

const scope = (name: string, text: string, more: Partial<ShownScope> = {}): ShownScope => ({
  name,
  text,
  sensitive: false,
  optional: false,
  isNew: false,
  ...more,
})

export const consent: ConsentData = {
  form: target,
  client: {
    name: 'Photo Printer',
    vouchedBy: 'operator',
    provenHost: 'print.example.com',
    logo: null,
    policyUri: 'https://print.example.com/privacy',
    termsUri: 'https://print.example.com/terms',
  },
  account: { name: 'Alice Doe', username: 'alice@example.com' },
  destination: { kind: 'site', host: 'print.example.com' },
  resources: [{ name: 'Photos', identifier: 'https://photos.example.com' }],
  scopes: [
    scope('openid', languages.en.messages.scopes.openid),
    scope('photos:read', 'See your photos and albums'),
    scope('photos:write', 'Add photos and change their descriptions', { sensitive: true }),
    scope('email', languages.en.messages.scopes.email, { optional: true }),
    scope('offline_access', languages.en.messages.scopes.offline_access, { optional: true }),
  ],
  details: [],
  alreadyDetails: [],
  already: [],
  again: false,
  lifetime: { access: 600, lasting: { idle: 30 * 86_400, max: 180 * 86_400 } },
  accountHref: '/account',
  now,
}

const paid = (amount: string, to: string) => ['Pay ', { value: amount }, ' ', { value: 'EUR' }, ' to ', { value: to }]

export const consentDetails: ConsentData = {
  ...consent,
  scopes: consent.scopes.slice(0, 1),
  details: [
    {
      sentence: paid('123.50', 'Merchant A'),
      others: [
        { label: 'Account', value: 'DE40 1001 0010 0307 1186 03' },
        { label: 'Every month', value: 'yes' },
      ],
    },
    { sentence: paid('7.00', 'Tips & <b>thanks</b>'), others: [] },
  ],
}

export const consentDetailsHostile: ConsentData = {
  ...consent,
  scopes: [],
  details: Array.from({ length: 4 }, (_, n) => ({
    sentence: paid(String(n), `${'Allowed-and-verified-by-your-bank-'.repeat(5)} עברית`),
    others: [{ label: 'reference', value: 'x'.repeat(256) }],
  })),
}

export const consentWithLogo: ConsentData = {
  ...consent,
  client: { ...consent.client, logo: '/logos?client_id=print' },
}

/** So much that it does not fit a screen: the decision stays in view. */
export const consentLong: ConsentData = {
  ...consent,
  scopes: Array.from({ length: 24 }, (_, n) =>
    scope(`photos:right-${n}`, `Do the ${n + 1}th of very many things with your photos`, { sensitive: n === 20 }),
  ),
}

export const consentGerman: ConsentData = {
  ...consent,
  client: { ...consent.client, name: 'Rechnungsverwaltung Süd', vouchedBy: 'nobody', provenHost: null },
  resources: [{ name: 'Rechnungen', identifier: 'https://rechnungen.beispiel.de/schnittstelle' }],
  scopes: [
    scope('openid', languages.de.messages.scopes.openid),
    scope('invoices:read', 'Ihre Rechnungen und Zahlungserinnerungen sehen'),
    scope('invoices:delete', 'Rechnungen unwiderruflich löschen', { sensitive: true }),
    scope('email', languages.de.messages.scopes.email, { optional: true }),
  ],
  destination: { kind: 'app', scheme: 'de.beispiel.rechnung:' },
}

export const stepUp: ConsentData = {
  ...consent,
  scopes: [
    scope('photos:delete', 'Delete photos for good', { sensitive: true, isNew: true }),
    scope('phone', 'See your phone number', { isNew: true, optional: true }),
  ],
  already: consent.scopes.slice(0, 2),
}

export const loopback: ConsentData = {
  ...consent,
  client: {
    name: 'Command line tool',
    vouchedBy: 'operator',
    provenHost: null,
    logo: null,
    policyUri: null,
    termsUri: null,
  },
  destination: { kind: 'loopback', host: '127.0.0.1:33418' },
  resources: [],
  scopes: consent.scopes.slice(0, 2),
  lifetime: { access: 600, lasting: null },
}

/** Allowed before, and asked again because any program on the computer could have begun it. */
export const again: ConsentData = { ...loopback, scopes: [], already: loopback.scopes, again: true }

const selfRegistered = `https://self-registered.example.com/callback/of/a/long/path?with=a-query-${'x'.repeat(120)}`

export const unredirected: UnredirectedData = {
  kind: 'refused',
  client: 'Photo Printer',
  address: selfRegistered,
  answer: { href: `${selfRegistered}&error=invalid_scope` },
  code: 'invalid_scope',
  traceId: '6f9f7c1e-7a0a-4f0e-9b52-0d1c4a1f2b3c',
  frames: [],
}

export const unredirectedForm: UnredirectedData = {
  ...unredirected,
  kind: 'denied',
  client: 'Rechnungsverwaltung Süd',
  address: 'https://rechnung.example.com/cb',
  answer: { action: 'https://rechnung.example.com/cb', fields: [['error', 'access_denied']] },
  code: 'access_denied',
}

export const unredirectedSignOut: UnredirectedData = {
  ...unredirected,
  kind: 'signedOut',
  address: 'https://print.example.com/bye',
  answer: { href: 'https://print.example.com/bye?state=1' },
  code: null,
  traceId: null,
}

export const onDevice: ConsentData = {
  ...consent,
  client: {
    name: 'Living room TV',
    vouchedBy: 'nobody',
    provenHost: null,
    logo: null,
    policyUri: null,
    termsUri: null,
  },
  destination: {
    kind: 'device',
    userCode: 'WDJB-MJHT',
    from: 'Chrome · Linux, 203.0.113.7',
    askedAt: now - 2 * minute,
  },
  scopes: consent.scopes.slice(0, 2),
}

/** By the back channel: a payment, with the message that the shop shows. */
export const request: ShownRequest = {
  ...consentDetails,
  client: { ...consent.client, name: 'Corner Shop', vouchedBy: 'domain', provenHost: 'shop.example.com' },
  destination: {
    kind: 'backchannel',
    message: 'W4SCT',
    from: '203.0.113.7',
    askedAt: now - minute,
  },
  reference: 'sample',
  expiresAt: now + 9 * minute,
}

export const hostileRequest: ShownRequest = {
  ...request,
  client: {
    ...request.client,
    name: `"><script>alert(1)</script>${'A very long name '.repeat(8)}`,
    vouchedBy: 'nobody',
    provenHost: null,
  },
  destination: { kind: 'backchannel', message: 'W'.repeat(100), from: 'x'.repeat(80), askedAt: now - minute },
}

export const otherRequests = [
  { client: 'Photo Printer', message: 'QX-17', askedAt: now - 2 * minute, href: '/account/requests?request=a' },
  { client: 'Living room TV', message: null, askedAt: now - 3 * minute, href: '/account/requests?request=b' },
]

/** A client that tries to look like something else, and to break out of the page. */
export const hostile: ConsentData = {
  ...consent,
  client: {
    name: `"><script>alert(1)</script>\u202e${'A very long name that never ends '.repeat(6)}`,
    vouchedBy: 'nobody',
    provenHost: null,
    logo: null,
    policyUri: 'javascript:alert(1)',
    termsUri: 'https://evil.example/"onclick="alert(1)',
  },
  destination: { kind: 'site', host: `${'a'.repeat(60)}.${'b'.repeat(60)}.example.com` },
  scopes: [scope('x:y', 'W'.repeat(120), { optional: true, sensitive: true })],
}
