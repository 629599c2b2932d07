/** docs/conformance.md: which test shows which clause and which certification module, read from the titles of the tests. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PlanResult, recordedResults } from '../interop/suite/results.ts'

const root = join(import.meta.dirname, '..')
const everything = ['test', 'packages/*/test', 'interop/test', 'e2e/test'].map((folder) => `${folder}/**/*.test.ts`)
const modulesFile = 'interop/test/oidc-basic.test.ts'

export interface TestedClause {
  readonly clause: string
  readonly title: string
  readonly file: string
}

const text = String.raw`(['"${'`'}])((?:\\.|(?!\1)[^\\])*)\1`
const titled = new RegExp(String.raw`\b(?:test|it)\(\s*${text}`, 'g')
const modular = new RegExp(String.raw`^(?:module|scopeModule|succeedsWith|  module)\(${text}`, 'gm')

/** What a template fills in is not known before the test runs. */
const readable = (title: string): string =>
  title
    .replaceAll(/\$\{[^}]*\}/g, '…')
    .replaceAll(/\\(.)/g, '$1')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')

/** Every test whose title begins with a clause of a published specification. */
export const testedClauses = (): readonly TestedClause[] =>
  globSync(everything, { cwd: root })
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(titled)].flatMap(([, , whole = '']) => {
        const [, clause, title] =
          /^((?:RFC|OIDC|OAuth|RP-Initiated Logout|Back-Channel Logout|Front-Channel Logout|MCP)\b[^:]*): (.*)$/s.exec(
            readable(whole),
          ) ?? []
        return clause === undefined || title === undefined ? [] : [{ clause, title, file }]
      }),
    )
    .toSorted((a, b) => compare(a.clause, b.clause) || compare(a.title, b.title))

/** The modules of the Basic and Form Post plans that have a test, in the order of the plan. */
export const testedModules = (): readonly string[] =>
  [...readFileSync(join(root, modulesFile), 'utf8').matchAll(modular)].flatMap(([, , name = '']) =>
    name.includes('${how}') ? ['get', 'post-header', 'post-body'].map((how) => name.replace('${how}', how)) : [name],
  )

const { compare } = new Intl.Collator('en', { numeric: true })

/** What the suite itself does with a static client and with a server like ours, where that is not simply a pass. */
const outcomes: Readonly<Record<string, string>> = {
  'oidcc-idtoken-signature': 'for dynamic clients only; mirrored with a declared one',
  'oidcc-idtoken-unsigned': 'skipped by the suite: `none` is not offered',
  'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported':
    'for dynamic clients only; answered `request_uri_not_supported`',
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported':
    'skipped by the suite after `request_not_supported`',
  'oidcc-ensure-request-object-with-redirect-uri': 'ends on our error page, which the suite keeps a picture of',
  'oidcc-ensure-registered-redirect-uri': 'ends on our error page, which the suite keeps a picture of',
  'oidcc-prompt-login': 'the suite keeps a picture of the second sign-in',
  'oidcc-max-age-1': 'the suite keeps a picture of the second sign-in; here the server’s clock is moved, nobody waits',
  'oidcc-codereuse-30seconds': 'here the server’s clock is moved, nobody waits',
}

const variantOf = ({ variant }: PlanResult): string =>
  Object.entries(variant)
    .map(([name, value]) => `\`${name}=${value}\``)
    .join(' ')

function countsOf({ modules }: PlanResult): string {
  const counts = Map.groupBy(modules, ({ outcome }) => outcome.toLowerCase())
  return [...counts].map(([outcome, them]) => `${them.length} ${outcome}`).join(', ')
}

const officialRuns = (): readonly string[] =>
  recordedResults().map((it) => `| \`${it.plan}\` | ${variantOf(it)} | ${it.suite} | ${countsOf(it)} |`)

/** The same module says the same in most variants of a plan: once is enough. */
const officialFindings = (): readonly string[] => [
  ...new Set(
    recordedResults().flatMap(({ plan, modules }) =>
      modules
        .filter(({ outcome }) => outcome !== 'PASSED')
        .map((it) => `| \`${plan}\` | \`${it.module}\` | ${it.outcome} | ${readable(it.findings.join('; '))} |`),
    ),
  ),
]

export function conformancePage(): string {
  const modules = testedModules().map((name) => `| \`${name}\` | ${outcomes[name] ?? ''} |`)
  const clauses = testedClauses().map(({ clause, title, file }) => `| ${clause} | ${title} | \`${file}\` |`)
  return `# Conformance

<!-- Written by \`npm run docs\` from the titles of the tests: edit scripts/conformance.ts or the tests, not this page. -->

## Certification plans of the OpenID Foundation

The foundation's own suite was run against this server on one machine. **It is no certification**: nobody submitted the results. It was built without its conditions about wallets, because not all of their libraries could be had, and for most runs its database was one in memory that is not asked for its version; none of what was left out belongs to these plans.

| plan | variant | suite | modules |
|---|---|---|---|
${officialRuns().join('\n')}

What did not simply pass:

| plan | module | outcome | what the suite said |
|---|---|---|---|
${officialFindings().join('\n')}

\`REVIEW\` asks a person to look at a picture of a page, \`SKIPPED\` is a module about something that is not offered.

## Mirrored certification plans

So that a change is held to the plans every day, most of them are mirrored: for each module a test of ours sends what the
module sends and checks what its published sources check, warnings included, against the real command over TLS.

| plan | where it is mirrored |
|---|---|
| \`oidcc-basic-certification-test-plan\` (static client) | \`${modulesFile}\` |
| \`oidcc-formpost-basic-certification-test-plan\` | the same modules with \`response_mode=form_post\`, on PostgreSQL instead of SQLite |
| \`oidcc-config-certification-test-plan\` | \`interop/test/oidc-config.test.ts\`, for the root's issuer and a tenant's |
| \`oidcc-rp-initiated-logout-\`, \`oidcc-backchannel-rp-initiated-logout-\` and \`oidcc-frontchannel-rp-initiated-logout-certification-test-plan\` | \`interop/test/oidc-logout.test.ts\`, a test for each module |

Not mirrored: the Implicit, Hybrid, Dynamic, Third-Party-Initiated-Login and session management plans (we do not offer the first two),
FAPI, CIBA, and every module as run with a dynamically registered client.

The plans send no code challenge, but for one module. So their confidential clients are declared with
\`pkce: public_clients\`; the deployment's default stays \`always\` (\`interop/test/pkce.test.ts\`).

To run the suite: \`node interop/suite/certification.ts FOLDER ISSUER SUITE\` writes \`seed.json\`, to be given as
\`GRANTOR_SEED\`, and a configuration for each kind of plan; \`node interop/suite/fapi.ts\` does the same for FAPI 2.0,
and \`node interop/suite/ciba.ts\` for FAPI-CIBA, where it also answers for the person who is asked. They
hold the steps by which the suite's browser signs in (\`interop/test/certification.test.ts\` walks them).
\`node interop/suite/run-plan.ts SUITE PLAN CONFIGURATION [NAME=VALUE …]\` then has the suite run a plan and prints each
module's result. ISSUER must be an address that the suite can reach, with \`GRANTOR_ISSUER\` set to it; the first lines of
these files say which settings a plan needs.

| module | beside a plain pass |
|---|---|
${modules.join('\n')}

## Clauses

Every test whose title names a clause of a published specification; \`…\` stands for what a table of cases fills in.
A clause that is not here may be followed all the same, but no test claims it by name.

| clause | what the test shows | where |
|---|---|---|
${clauses.join('\n')}
`
}
