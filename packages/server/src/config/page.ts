/** Generates docs/configuration.md from the list of settings; a test compares them. */
import { settingsBySection } from './sections.ts'
import { flagOf, type Setting, settingsList, variableOf } from './settings.ts'

export function configurationPage(): string {
  return `# Configuration

<!-- Written by \`npm run docs\` from packages/server/src/config/settings.ts: edit the list, not this page. -->

A setting is given by flag, by \`GRANTOR_*\` variable or in \`grantor.yaml\`; a flag beats a variable beats the file.
\`grantor config print --sources\` shows each effective value and where it came from; \`grantor config check\` says what is
wrong without starting. An unknown variable or key is an error that names the nearest known one; an empty variable is as
good as none. Combinations that would be unsafe do not start and say why.

In the file, \`tls.cert\` is the key \`cert\` under \`tls\`; its relative paths start at the file's folder, all others at the
working folder. Durations are written \`90s\`, \`10m\`, \`24h\`, \`90d\`; a bare number is seconds.

\`\`\`yaml
issuer: https://login.example
tls:
  cert: /etc/grantor/cert.pem
  key: /etc/grantor/key.pem
database:
  url_file: /run/secrets/database-url
master_key_file: /run/secrets/master-key
\`\`\`

A setting marked *secret* is never shown or logged. Besides its own name it may be given as a file that holds it:
\`GRANTOR_MASTER_KEY_FILE\`, \`--master-key-file\`, or \`master_key_file\` in the settings file.

${settingsBySection.map(section).join('\n\n')}

## Names with a meaning to come

Variables that begin with \`GRANTOR_LIMIT_\` and are in no table are accepted, so that scripts may set them already,
and have no effect yet; starting with one says so.
`
}

const section = ({ title, keys }: (typeof settingsBySection)[number]): string =>
  `## ${title.en}

| setting | variable | flag | value | default | what it is |
|---|---|---|---|---|---|
${keys.map((key) => row(settingsList[key] as Setting<unknown, unknown>)).join('\n')}`

const row = (it: Setting<unknown, unknown>): string =>
  `| \`${it.name}\` | \`${variableOf(it.name)}\` | \`${flag(it)}\` | ${it.kind.description}${it.secret ? ' (*secret*)' : ''} | ${shown(it)} | ${it.description} |`

const flag = (it: Setting<unknown, unknown>): string => (it.flag ? flagOf(it.name) : `${flagOf(it.name)}-file`)

const shown = ({ fallback, kind }: Setting<unknown, unknown>): string =>
  fallback === null ? '' : `\`${kind.show(fallback)}\``
