/**
 * The list of settings. A setting `tls.cert` is the key `cert` under `tls` in grantor.yaml, the variable
 * GRANTOR_TLS_CERT and the flag --tls-cert. docs/configuration.md is written from this list.
 */
import { limits, minPasswordLength } from '@grantor/authority'
import { decisionLimits } from '@grantor/protocol/decisions'
import { certificateHeaderFormats } from '@grantor/protocol/mtls'
import { defaultPolicy, longestTokenLife } from '@grantor/protocol/oauth'
import { defaultRegistration } from '@grantor/protocol/registration'
import { knownAppSchemes } from '@grantor/protocol/uri'
import {
  choice,
  duration,
  flag,
  integer,
  integerOrAuto,
  type Kind,
  list,
  path,
  port,
  portOrOff,
  type Rate,
  rate,
  text,
  webAddress,
} from './kinds.ts'

export interface Setting<T, D extends T | null> {
  readonly name: string
  readonly kind: Kind<T>
  readonly fallback: D
  /** Not shown, not logged; also read from a file that `<variable>_FILE` names. */
  readonly secret: boolean
  /** A flag is visible to every process of the machine; what unlocks everything has only its `-file` form. */
  readonly flag: boolean
  readonly description: string
}

interface SettingOptions {
  readonly secret?: true
  readonly flag?: false
}

function setting<T, const D extends T | null>(
  name: string,
  kind: Kind<T>,
  fallback: D,
  { description, secret, flag: hasFlag }: SettingOptions & { readonly description: string },
): Setting<T, D> {
  return {
    name,
    kind,
    fallback,
    description,
    secret: secret ?? false,
    flag: hasFlag ?? true,
  }
}

const year = 366 * 86_400

export const settingsList = {
  config: setting('config', path, null, {
    description: 'The settings file; without it `grantor.yaml` in the working folder is read, if there is one.',
  }),
  host: setting('host', text, '127.0.0.1', { description: 'The address to listen on.' }),
  port: setting('port', port, 8443, { description: 'The port to listen on.' }),
  issuer: setting('issuer', text, null, {
    description:
      'The issuer identifier: `https://`, host and port as clients see them, nothing after. Default: `https://localhost:{port}`.',
  }),
  data: setting('data', path, './data', {
    description: 'The folder for the SQLite database, the generated master key and the local certificate.',
  }),
  databaseUrl: setting('database.url', text, null, {
    secret: true,
    description:
      'A `postgres://` address; with it everything is kept in PostgreSQL instead of SQLite. Several servers of one cluster: `postgres://user@a:5432,b:5432/db?target_session_attrs=read-write`.',
  }),
  databaseDirectUrl: setting('database.direct_url', text, null, {
    secret: true,
    description: 'Where `database.url` leads to a pooler: the address past it, for LISTEN and migrations.',
  }),
  databasePreparedStatements: setting('database.prepared_statements', choice('on', 'off'), 'on', {
    description:
      '`off` behind a pooler that gives every transaction another connection (PgBouncer in transaction mode): statements stay unnamed and nothing is set for a session.',
  }),
  databaseSchema: setting('database.schema', text, 'grantor', {
    description: 'The schema of the PostgreSQL database that holds our tables; made if it is not there.',
  }),
  databaseTimeout: setting('database.timeout', duration(1, 60), 3, {
    description: 'How long PostgreSQL may take to answer, or a connection to be free, before requests get 503.',
  }),
  databasePool: setting('database.pool', integer(1, 200), 10, {
    description: 'How many connections to PostgreSQL one process holds at most.',
  }),
  masterKey: setting('master_key', text, null, {
    secret: true,
    flag: false,
    description:
      'Seals private keys, at least 32 characters (`openssl rand -base64 32`). Generated in the data folder for SQLite; required for PostgreSQL.',
  }),
  masterKeyPrevious: setting('master_key_previous', text, null, {
    secret: true,
    flag: false,
    description:
      'Another master key, while one is being replaced: what it sealed is still opened, nothing is sealed with it. `grantor key rewrap` makes it needless.',
  }),
  newDatabase: setting('new_database', flag, false, {
    description:
      'Begins a new database although the master key has sealed one before; without it a database that is missing is not replaced.',
  }),
  tlsMode: setting('tls.mode', choice('on', 'off'), null, {
    description:
      '`off` speaks plain HTTP to a trusted proxy. Default: `on`, but `off` when a trusted proxy is named and no certificate is given.',
  }),
  tlsCert: setting('tls.cert', path, null, {
    description: 'The certificate chain (PEM). Without it a local CA and a certificate are made in the data folder.',
  }),
  tlsKey: setting('tls.key', path, null, { description: 'The private key of the certificate (PEM).' }),
  trustProxy: setting('trust_proxy', list, null, {
    description:
      'Addresses or CIDR blocks of the proxies in front (`loopback` for this machine); only their forwarding headers are believed.',
  }),
  proxyHeader: setting('proxy_header', choice('x-forwarded', 'forwarded'), 'x-forwarded', {
    description:
      'Which header family the proxy writes: `X-Forwarded-For` and `-Proto`, or `Forwarded` (RFC 7239). The other is ignored, because a proxy passes on what it does not write.',
  }),
  mtlsPort: setting('mtls.port', portOrOff, null, {
    description:
      'The port where clients are asked for certificates (RFC 8705). Default: `8445`, or any free one where that is taken. There is none where the TLS of a proxy is used.',
  }),
  mtlsUrl: setting('mtls.url', text, null, {
    description:
      'Where clients reach it, for `mtls_endpoint_aliases`: `https://`, host and port. Default: the host of the issuer with that port. Behind a proxy: the address where the proxy asks for certificates, if it is another one.',
  }),
  mtlsClientCa: setting('mtls.client_ca', path, null, {
    description:
      'Certificates (PEM) of the authorities whose certificates clients may authenticate with (`tls_client_auth`); each in the file is trusted by itself. Without it that method is not offered.',
  }),
  clientCertHeaderName: setting('client_cert_header.name', text, null, {
    description:
      'The header by which the trusted proxies hand on the certificate of the client, such as `Client-Cert`. They must remove it from what clients send; from everybody else it counts for nothing.',
  }),
  clientCertHeaderFormat: setting('client_cert_header.format', choice(...certificateHeaderFormats), 'rfc9440', {
    description:
      "How it is written: `rfc9440` (`:base64:`), `pem-urlencoded` (nginx: `$ssl_client_escaped_cert`), `xfcc` (Envoy's `x-forwarded-client-cert`).",
  }),
  connectionsMost: setting('connections.most', integer(16, 1_000_000), 4096, {
    description: 'How many connections one process holds at once; what comes beyond is closed at once.',
  }),
  connectionsPerAddress: setting('connections.per_address', integer(1, 1_000_000), 1024, {
    description: 'How many of them one address may hold (of IPv6 a /64); trusted proxies are not counted.',
  }),
  requestsInFlight: setting('requests.in_flight', integer(1, 100_000), 256, {
    description:
      'How many requests of a kind (of clients, introspection, of people, of administration) one process works on at once; one more is answered 503 at once, with `Retry-After`.',
  }),
  workers: setting('workers', integerOrAuto(1, 64), 1, {
    description:
      'How many processes serve requests; more than one on PostgreSQL only. `auto`: as many as there are cores, and one on SQLite.',
  }),
  managementPort: setting('management.port', port, 9464, {
    description: 'The port of health checks and metrics: plain HTTP.',
  }),
  managementHost: setting('management.host', text, '127.0.0.1', {
    description:
      'The address they are served at. Whoever reaches it reads them without a token: in a container with a network policy, the address of the container; else leave it.',
  }),
  log: setting('log', choice('trace', 'debug', 'info', 'warn', 'error', 'silent'), 'info', {
    description: 'The least level that is logged (JSON lines on stderr); `debug` has a line per request.',
  }),
  logFile: setting('log_file', path, null, {
    description: 'The file that the log goes to instead of stderr; SIGHUP opens it anew after it was moved away.',
  }),
  tracingEndpoint: setting('tracing.endpoint', webAddress, null, {
    description:
      'The OpenTelemetry collector that traces go to (OTLP over HTTP; `/v1/traces` is added). Without it nothing is traced.',
  }),
  tracingPercent: setting('tracing.percent', integer(0, 100), 100, {
    description: 'How many traces in a hundred are kept; of those that a caller began and keeps itself, too.',
  }),
  seed: setting('seed', path, null, { description: 'A file of declared objects, applied at every start.' }),
  demo: setting('demo', flag, false, {
    description: 'Starts the demo API and client beside the server; loopback only.',
  }),
  demoPort: setting('demo_port', port, 8444, { description: 'The port of the demo.' }),
  demoMtlsPort: setting('demo_mtls_port', port, 8447, {
    description: 'The port where the demo asks for certificates; any free one where it is taken.',
  }),
  accessTokenLife: setting('lifetime.access_token', duration(10, longestTokenLife), defaultPolicy.accessTtl, {
    description: 'How long an access token lives, unless its resource says otherwise.',
  }),
  idTokenLife: setting('lifetime.id_token', duration(10, longestTokenLife), defaultPolicy.idTokenTtl, {
    description: 'How long an ID token lives.',
  }),
  codeLife: setting('lifetime.authorization_code', duration(5, 600), defaultPolicy.codeTtl, {
    description: 'How long an authorization code can be redeemed; under a FAPI profile never longer than a minute.',
  }),
  refreshTokenLife: setting('lifetime.refresh_token', duration(60, 5 * year), defaultPolicy.refreshMaxTtl, {
    description: 'How long what a person allowed can be refreshed in all, from when they allowed it.',
  }),
  refreshTokenIdle: setting('lifetime.refresh_token_idle', duration(60, 5 * year), defaultPolicy.refreshIdleTtl, {
    description: 'How long a refresh token lives that is not used.',
  }),
  refreshTokenRetry: setting('lifetime.refresh_token_retry', duration(0, 600), defaultPolicy.refreshRetryWindow, {
    description:
      'How long a client that lost the answer to a refresh may ask again with the same token; after that, it counts as stolen.',
  }),
  pushedRequestLife: setting('lifetime.pushed_request', duration(5, 599), defaultPolicy.pushedRequestTtl, {
    description: 'How long a pushed authorization request can be opened by a browser.',
  }),
  deviceCodeLife: setting('lifetime.device_code', duration(60, 1800), defaultPolicy.deviceTtl, {
    description: 'How long a device waits for somebody to type its code.',
  }),
  backchannelRequestLife: setting('lifetime.backchannel_request', duration(30, 1800), defaultPolicy.backchannelTtl, {
    description: 'How long a request by the back channel (CIBA) waits for its person; a client may ask for less.',
  }),
  interactionLife: setting('lifetime.interaction', duration(60, 3600), defaultPolicy.interactionTtl, {
    description: 'How long a person may take for the pages of one sign-in.',
  }),
  sessionLife: setting('lifetime.session', duration(300, 5 * year), defaultPolicy.sessionMaxTtl, {
    description: 'How long a person stays signed in, in all.',
  }),
  sessionIdle: setting('lifetime.session_idle', duration(300, 5 * year), defaultPolicy.sessionIdleTtl, {
    description: 'How long a person stays signed in who does nothing here.',
  }),
  backchannelFlow: setting('backchannel.flow', choice('on', 'off'), 'on', {
    description:
      'Whether clients may ask people by the back channel (CIBA). Off, its endpoint is 404, no client can have its grant, and the account page has no requests.',
  }),
  backchannelInterval: setting('backchannel.interval', duration(1, 60), defaultPolicy.backchannelInterval, {
    description: 'How long a client must wait between two polls for a request by the back channel.',
  }),
  deviceFlow: setting('device.flow', choice('on', 'off'), 'on', {
    description:
      'Whether devices without a browser may sign people in (RFC 8628). Off, its endpoints are 404, no client can have its grant, and `grantor login` does not work.',
  }),
  deviceInterval: setting('device.interval', duration(1, 60), defaultPolicy.deviceInterval, {
    description: 'How long a device must wait between two polls.',
  }),
  pkce: setting('pkce', choice('always', 'public_clients'), defaultPolicy.pkce, {
    description:
      'Who must send a PKCE challenge: every client, or public ones only, for whom it is never off. A client may be declared with `pkce` of its own.',
  }),
  requirePushed: setting('require_pushed_authorization_requests', flag, defaultPolicy.requirePushed, {
    description:
      'Whether every client must push its authorization requests to `/par` (RFC 9126). A tenant may say otherwise, and a client may be declared with it alone.',
  }),
  assertionAudience: setting('assertion_audience', choice('issuer', 'endpoints'), defaultPolicy.assertionAudience, {
    description:
      'What clients that sign (`private_key_jwt`) may name as audience: the issuer alone (RFC 10070), or the address of an endpoint too, for clients that predate it.',
  }),
  dpopNonce: setting('dpop.nonce', choice('off', 'required'), defaultPolicy.dpopNonce, {
    description:
      'Whether a DPoP proof must carry a nonce of ours (RFC 9449 §8): `required` costs every client one request more, and no proof can be made ahead of its time.',
  }),
  leeway: setting('leeway', duration(0, 300), defaultPolicy.leeway, {
    description: "What is forgiven of other people's clocks; never extends our own tokens.",
  }),
  keyRotation: setting('key.rotation', duration(86_400, 5 * year), defaultPolicy.keyRotation, {
    description: 'How long a signing key signs before the next one takes over.',
  }),
  keyAnnounce: setting('key.announce', duration(60, 30 * 86_400), defaultPolicy.keyAnnounce, {
    description: 'How long a new key is published before it signs.',
  }),
  eventRetention: setting('event.retention', duration(86_400, 30 * year), defaultPolicy.eventRetention, {
    description: 'How long events are kept.',
  }),
  outboundAllow: setting('outbound.allow', list, null, {
    description:
      'Hosts (`host` or `host:port`) that this server may ask for documents and send to although their addresses are private, or their port is not 443. Everything else must be public.',
  }),
  outboundCa: setting('outbound.ca', path, null, {
    description:
      'Certificates (PEM) of authorities that are believed beside the usual ones when this server asks for documents.',
  }),
  registrationMode: setting('registration.mode', choice('open', 'token', 'off'), defaultRegistration.mode, {
    description:
      'Who may register a client at `/register`: everybody, whoever has an initial access token (`grantor registration-token`), or nobody. A tenant may say otherwise.',
  }),
  registrationGrants: setting('registration.grants', list, defaultRegistration.grants, {
    description: 'Grant types that a client which registers itself may have; others that it asks for are dropped.',
  }),
  registrationScopes: setting('registration.scopes', list, null, {
    description:
      'Scopes that such a client may have. Default: those of OpenID Connect and all declared ones; rights of the issuer itself never.',
  }),
  registrationDefaultScope: setting('registration.default_scope', list, null, {
    description: 'Scopes of a registration that names none. Default: all it may have.',
  }),
  registrationDefaultResource: setting('registration.default_resource', text, null, {
    description: 'The resource meant by a client that registered itself and names none.',
  }),
  registrationRedirects: setting('registration.redirects', list, defaultRegistration.redirects as readonly string[], {
    description: 'Where such a client may be called back: `https`, `loopback`, `private-use` (a scheme of an app).',
  }),
  registrationSchemes: setting('registration.schemes', list, knownAppSchemes, {
    description:
      'Schemes of apps that may be called back although they are no domain name in reverse (RFC 8252 §7.1), which always may. Counts for every way to make a client.',
  }),
  registrationMostClients: setting(
    'registration.most_clients',
    integer(0, 10_000_000),
    defaultRegistration.mostClients,
    {
      description: 'How many clients of a tenant may have registered themselves.',
    },
  ),
  registrationUnusedLife: setting('registration.unused_life', duration(60, year), defaultRegistration.unusedLife, {
    description: 'How long such a client stays if nobody ever uses it.',
  }),
  registrationDocuments: setting('registration.metadata_documents', choice('on', 'off'), 'on', {
    description: 'Whether a `client_id` may be the https address of a client metadata document.',
  }),
  registrationErrorRedirects: setting(
    'registration.error_redirects',
    choice('after_consent', 'always'),
    defaultRegistration.errorRedirects,
    {
      description:
        'When errors, denials and sign-outs of clients that nobody vouches for (registered openly, or by a metadata document) are redirected to them: after a person has allowed them something in this browser, or always, which certification suites need. Before that a page of ours shows the address.',
    },
  ),
  limitRegistration: setting('limit.registration', rate, limits.registration as Rate | 'off', {
    description: 'Registrations without an initial access token, per address.',
  }),
  limitRegistrationUpdates: setting('limit.registration_updates', rate, limits.registrationUpdates as Rate | 'off', {
    description: 'Updates of its own registration, per client.',
  }),
  limitClientDocuments: setting('limit.client_documents', rate, limits.clientDocuments as Rate | 'off', {
    description: 'Client metadata documents that were not known before, per address.',
  }),
  limitRequestObjects: setting('limit.request_objects', rate, limits.requestObjects as Rate | 'off', {
    description:
      'Authorization requests that stand at an address of the client (`request_uri`), per address and process.',
  }),
  limitScim: setting('limit.scim', rate, limits.scim as Rate | 'off', {
    description: 'Requests at the SCIM service, per client and process.',
  }),
  limitSsf: setting('limit.ssf', rate, limits.ssf as Rate | 'off', {
    description: 'Requests at the endpoints of shared signals, per client and process.',
  }),
  limitAuthorize: setting('limit.authorize', rate, limits.authorize as Rate | 'off', {
    description:
      'Sign-ins begun at `/authorize`, per address and process; passkey questions and sign-outs have as many each.',
  }),
  limitToken: setting('limit.token', rate, limits.token as Rate | 'off', {
    description: 'Requests to the token endpoint, per client; introspection and revocation have as many of their own.',
  }),
  limitTokenFailures: setting('limit.token_failures', rate, limits.tokenFailures as Rate | 'off', {
    description: 'Failed client authentications at these endpoints, per client and address (of IPv6 per /64).',
  }),
  limitTokenFailuresAddress: setting(
    'limit.token_failures_address',
    rate,
    limits.tokenFailuresAddress as Rate | 'off',
    { description: 'The same per address, whatever clients were named.' },
  ),
  limitLoginAccount: setting('limit.login_account', rate, limits.loginAccount as Rate | 'off', {
    description: 'Failed sign-ins, per account, from all browsers that the person has not used before.',
  }),
  limitLoginAddress: setting('limit.login_address', rate, limits.loginAddress as Rate | 'off', {
    description: 'Failed sign-ins, per address (of IPv6 per /64).',
  }),
  limitLoginTenant: setting('limit.login_tenant', rate, limits.loginTenant as Rate | 'off', {
    description:
      'Failed sign-ins at all accounts of a tenant together, from whatever addresses. Beyond it only browsers that were used before go on unhindered.',
  }),
  limitLoginBrowser: setting('limit.login_browser', rate, limits.loginBrowser as Rate | 'off', {
    description:
      'Failed sign-ins of a person in a browser that they signed in with before. It is counted apart: strangers do not lock them out there.',
  }),
  limitSecondFactor: setting('limit.second_factor', rate, limits.secondFactor as Rate | 'off', {
    description:
      'Wrong codes of an authenticator app, per account; browsers that the person once showed a second factor in have as many each.',
  }),
  limitDeviceRequests: setting('limit.device_requests', rate, limits.deviceRequests as Rate | 'off', {
    description: 'Devices that begin to sign somebody in, per address.',
  }),
  limitDevice: setting('limit.device', rate, limits.device as Rate | 'off', {
    description:
      'Wrong codes at the device page, per address and browser; of who is signed in per account, and of a browser that somebody signed in with before by itself.',
  }),
  limitDeviceTenant: setting('limit.device_tenant', rate, limits.deviceTenant as Rate | 'off', {
    description:
      'Wrong codes at the device page of a tenant by all strangers, from whatever addresses; and as many by all who are signed in or known.',
  }),
  limitBackchannelHint: setting('limit.backchannel_hint', rate, limits.backchannelHint as Rate | 'off', {
    description: 'Requests by the back channel (CIBA), per client and hint; five wait for one person at most.',
  }),
  limitBackchannelUserCode: setting('limit.backchannel_user_code', rate, limits.backchannelUserCode as Rate | 'off', {
    description: 'Wrong user codes in requests by the back channel (CIBA), per hint.',
  }),
  limitResetAccount: setting('limit.reset_account', rate, limits.resetAccount as Rate | 'off', {
    description:
      'Mailed links to choose a new password, per account; links to sign in and the check of an address have as many of their own.',
  }),
  limitResetAddress: setting('limit.reset_address', rate, limits.resetAddress as Rate | 'off', {
    description: 'Requests for a new password, per address.',
  }),
  limitSignInLinkAddress: setting('limit.sign_in_link_address', rate, limits.signInLinkAddress as Rate | 'off', {
    description: 'Requests for a link to sign in, per address.',
  }),
  passwordLength: setting('password.min_length', integer(minPasswordLength, 64), minPasswordLength, {
    description: 'The fewest characters of a new password.',
  }),
  breachedPasswords: setting('password.breached_list', path, null, {
    description:
      'A file of passwords known from breaches, which nobody may choose: SHA-1 values, one a line, sorted, as Have I Been Pwned publishes them.',
  }),
  signUpHook: setting('sign_up.hook', webAddress, null, {
    description:
      'The https address that is asked whether somebody may sign up, with a signed message ([sign-up](sign-up.md#asking-somebody-else)). A private address must be named in `outbound.allow`.',
  }),
  signUpHookSecret: setting('sign_up.hook_secret', text, null, {
    secret: true,
    description: 'What those messages are signed by: `whsec_` and 24 to 64 random bytes in base64.',
  }),
  signUpHookDeadline: setting(
    'sign_up.hook_deadline_ms',
    integer(50, decisionLimits.longest),
    decisionLimits.deadline,
    {
      description: 'Milliseconds from that question to the last byte of its answer.',
    },
  ),
  signUpHookOnFailure: setting('sign_up.hook_on_failure', choice('deny', 'allow'), 'deny', {
    description: 'What holds where no answer comes in time: nobody signs up, or everybody.',
  }),
  mailSmtp: setting('mail.smtp', text, null, {
    secret: true,
    description:
      'The mail server: `smtp://user:password@host:587` (STARTTLS) or `smtps://…` (TLS from the start). Without it nothing is mailed, and what needs mail is not offered. TLS is required, but not by a server on this machine.',
  }),
  mailFrom: setting('mail.from', text, null, {
    description: 'The address that mail comes from: `login@example.com`, or `Example <login@example.com>`.',
  }),
  mailCa: setting('mail.ca', path, null, {
    description: 'The certificate authority (PEM) of the mail server, where it is a private one.',
  }),
  themeName: setting('theme.name', text, 'Grantor', {
    description: 'The name that people see on our pages, at most 60 characters.',
  }),
  themeLogo: setting('theme.logo', path, null, {
    description: 'The logo on our pages: an SVG, PNG, WebP or JPEG file of at most 256 KiB.',
  }),
  themeAccent: setting('theme.accent', text, null, {
    description:
      'The colour of buttons and links, `"#rrggbb"` (in quotes, where YAML would see a remark). It must be readable on the page; a colour that is not does not start.',
  }),
  themeAccentDark: setting('theme.accent_dark', text, null, {
    description: 'The same for dark pages. Default: the accent, brightened until it is readable.',
  }),
  themeBackground: setting('theme.background', text, null, { description: 'The colour behind our pages.' }),
  themeBackgroundDark: setting('theme.background_dark', text, null, { description: 'The colour behind dark pages.' }),
  adminPassword: setting('admin.password', text, null, {
    secret: true,
    flag: false,
    description:
      'The password of the first owner `admin`, where one is made. Default: a password for one sign-in, shown on the terminal or written to `first-owner-password` in the data folder.',
  }),
} as const

export type SettingKey = keyof typeof settingsList
type SettingValue<S> = S extends Setting<infer T, infer D> ? (null extends D ? T | null : T) : never
export type Settings = { readonly [K in SettingKey]: SettingValue<(typeof settingsList)[K]> } & {
  /** The source of each value; left out where the settings were not loaded but built in code. */
  readonly sources?: SettingSources
}

/** Where a value came from: `--port`, `GRANTOR_PORT`, `/etc/grantor.yaml`, or the default. */
export interface SettingSource {
  readonly kind: 'flag' | 'variable' | 'file' | 'default'
  readonly where: string
}
export type SettingSources = Readonly<Record<SettingKey, SettingSource>>

export const settingKeys = Object.keys(settingsList) as readonly SettingKey[]

export const variableOf = (name: string): string => `GRANTOR_${name.replaceAll('.', '_').toUpperCase()}`
export const flagOf = (name: string): string => `--${name.replaceAll(/[._]/g, '-')}`

/** Prefixes reserved for later releases; accepted with a warning, so that scripts may set them already. */
export const reservedPrefixes = ['GRANTOR_LIMIT_'] as const
/** Variables of our own test runs and of `grantor gateway`; they never configure a server. */
export const foreignPrefixes = ['GRANTOR_TEST_', 'GRANTOR_GATEWAY_'] as const
