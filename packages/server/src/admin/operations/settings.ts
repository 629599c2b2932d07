/** /v1/settings: every effective setting with its source; and the findings of this deployment's checks. */
import { type ActionPlan, collection, type Collection, type StoredResource } from '@grantor/api'
import { problem } from '@grantor/protocol/http'
import { Type } from 'typebox'
import { checkDeployment } from '../../checks/deployment.ts'
import type { HttpContext } from '../../http/http-context.ts'
import { settingsBySection } from '../../config/sections.ts'
import { type SettingKey, settingsList, variableOf } from '../../config/settings.ts'
import { shownValue } from '../../config/shown-value.ts'
import { defaultTenant } from '../../issuer.ts'
import { inOrder, tenantOf } from '../fields.ts'
import { versionOfShown } from '../shown-version.ts'

const text = (description: string) => Type.String({ readOnly: true, description })

const SettingSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 64, description: 'Its name in the settings file' }),
  value: Type.Optional(text('As it counts; absent where there is none, and for a secret no more than that it is set')),
  secret: Type.Boolean({ readOnly: true }),
  source: Type.Object(
    { kind: Type.Enum(['flag', 'variable', 'file', 'default']), where: Type.String() },
    { readOnly: true, description: 'Where the value came from' },
  ),
  variable: text('The variable that sets it'),
  description: text('What it does'),
  section: Type.Object(
    {
      id: Type.String(),
      place: Type.Integer({ minimum: 1, description: 'Which of the sections it is' }),
      title: Type.Object({ en: Type.String(), de: Type.String() }),
    },
    { readOnly: true, description: 'Where it stands on the page of settings' },
  ),
})
type SettingDocument = Type.Static<typeof SettingSchema>

type Context = Pick<HttpContext, 'settings' | 'store' | 'authority' | 'issuer' | 'meters'>

type Section = SettingDocument['section']

function documentOf(key: SettingKey, section: Section, { settings }: Context): SettingDocument {
  const { name, secret, description } = settingsList[key]
  const value = shownValue(key, settings)
  const source = settings.sources?.[key] ?? { kind: 'default', where: 'default' }
  const shown = value === null ? {} : { value }
  return { id: name, ...shown, secret, source, variable: variableOf(name), description, section }
}

/** Settings belong to the deployment, so only administrators of the default tenant see them. */
export function settings(context: Context): Collection {
  const all = settingsBySection.flatMap(({ id, title, keys }, at) =>
    keys.map((key) => documentOf(key, { id, place: at + 1, title }, context)),
  )
  const entryOf = (value: SettingDocument): StoredResource<SettingDocument> => ({
    tenant: defaultTenant,
    version: versionOfShown(value),
    value,
  })
  return collection<typeof SettingSchema>({
    name: 'settings',
    description:
      'Settings of the deployment, as they count and where they came from; they are changed by whoever starts the server',
    schema: SettingSchema,
    example: exampleSetting,
    scopes: { read: 'admin:settings:read' },
    cacheControl: 'no-store',
    list: { limit: { usual: 200, most: 200 } },
    handlers: {
      list: (query, request) => (tenantOf(request) === defaultTenant ? inOrder(all, query).map(entryOf) : []),
      get(id, request) {
        const found = tenantOf(request) === defaultTenant ? all.find((it) => it.id === id) : undefined
        return found === undefined ? null : entryOf(found)
      },
    },
    actions: { check: check(context) },
  })
}

/** No check calls another server or reads a whole table, so that a page may run them every minute. */
const check = (context: Context): ActionPlan<SettingDocument> => ({
  on: 'collection',
  scope: 'admin:settings:read',
  summary: 'What the quick checks of `grantor doctor` find at this node, with the fix for each',
  body: Type.Object({}),
  example: {},
  async run(_body: never, request) {
    if (tenantOf(request) !== defaultTenant) return problem('forbidden', 'The deployment is not this tenant’s.')
    const findings = await checkDeployment(context, Date.now())
    const p95 = await context.meters.quantile('/token', 0.95)
    return {
      ok: findings.every(({ state }) => state !== 'fail'),
      findings: findings.map(({ check: name, state, message, fix }) => ({ check: name, state, says: message, fix })),
      node: { started_at: new Date(performance.timeOrigin).toISOString(), token_p95_seconds: p95 },
    }
  },
})

const exampleSetting: SettingDocument = {
  id: 'port',
  value: '8443',
  secret: false,
  source: { kind: 'variable', where: 'GRANTOR_PORT' },
  variable: 'GRANTOR_PORT',
  description: settingsList.port.description,
  section: { id: 'server', place: 1, title: { en: 'Server', de: 'Server' } },
}
