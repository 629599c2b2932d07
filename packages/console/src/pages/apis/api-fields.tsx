/** The fields of an API that its maker and its keeper fill in alike. */
import { claimLines, claimMappings } from '../../app/forms/claim-lines.ts'
import type { Form } from '../../app/forms/use-form.ts'
import { apis } from '../../messages/apis.ts'
import { roles } from '../../messages/groups.ts'
import { CheckField, given, SelectField, TextField } from '../../ui/field.tsx'
import { LinesField } from '../../ui/lines-field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { DecisionFields, type DecisionPoint, editablePoint, pointBody } from './decision-fields.tsx'
import type { Api } from './list.tsx'

export interface EditableApi {
  readonly name: string
  readonly token_format: Api['token_format']
  readonly token_typ: Api['token_typ']
  readonly access_token_ttl: string
  readonly status_list: boolean
  readonly claim_mappings: readonly string[]
  readonly require_roles: boolean
  readonly policy_service: DecisionPoint
  readonly issuance_hook: DecisionPoint
}

export const apiFieldNames = [
  'name',
  'token_format',
  'token_typ',
  'access_token_ttl',
  'status_list',
  'claim_mappings',
  'require_roles',
  'policy_service',
  'issuance_hook',
] as const

export const editableApi = (api: Api): EditableApi => ({
  name: api.name ?? '',
  token_format: api.token_format,
  token_typ: api.token_typ,
  access_token_ttl: String(api.access_token_ttl ?? ''),
  status_list: api.status_list,
  claim_mappings: claimLines(api.claim_mappings),
  require_roles: api.require_roles,
  policy_service: editablePoint(api.policy_service),
  issuance_hook: editablePoint(api.issuance_hook),
})

/** As the API has it: a number where one was typed, and nothing where nothing was. */
export const apiBody = ({
  name,
  access_token_ttl: life,
  claim_mappings: claims,
  policy_service: policy,
  issuance_hook: hook,
  ...rest
}: Partial<EditableApi>): Record<string, unknown> => ({
  ...rest,
  ...(policy === undefined ? {} : { policy_service: pointBody(policy) }),
  ...(hook === undefined ? {} : { issuance_hook: pointBody(hook) }),
  ...(claims === undefined ? {} : { claim_mappings: claimMappings(claims) }),
  ...(name === undefined ? {} : { name: name.trim() === '' ? null : name.trim() }),
  ...(life === undefined ? {} : { access_token_ttl: life.trim() === '' ? null : Number(life) }),
})

export function ApiFields<F extends EditableApi>({ form }: { readonly form: Form<F> }) {
  const say = useSay()
  const { values } = form
  const set = (change: Partial<EditableApi>): void => form.set(change as Partial<F>)
  return (
    <>
      <div className="form-grid">
        <TextField
          label={say(apis.name)}
          hint={say(apis.nameHint)}
          value={values.name}
          onChange={(name) => set({ name })}
          {...given({ fault: form.faultOf('name') })}
        />
        <TextField
          label={say(apis.life)}
          hint={say(apis.lifeHint)}
          optional
          inputMode="numeric"
          value={values.access_token_ttl}
          onChange={(life) => set({ access_token_ttl: life })}
          {...given({ fault: form.faultOf('access_token_ttl') })}
        />
        <SelectField
          label={say(apis.format)}
          value={values.token_format}
          onChange={(format) => set({ token_format: format as Api['token_format'] })}
          options={[
            { value: 'jwt', label: say(apis.formatJwt) },
            { value: 'opaque', label: say(apis.formatOpaque) },
          ]}
          {...given({ fault: form.faultOf('token_format') })}
        />
        {values.token_format === 'jwt' ? (
          <SelectField
            label={say(apis.typ)}
            hint={say(apis.typHint)}
            value={values.token_typ}
            onChange={(typ) => set({ token_typ: typ as Api['token_typ'] })}
            options={(['at+jwt', 'JWT'] as const).map((typ) => ({ value: typ, label: typ }))}
            {...given({ fault: form.faultOf('token_typ') })}
          />
        ) : null}
      </div>
      <CheckField
        label={say(apis.statusList)}
        hint={say(apis.statusListHint)}
        value={values.status_list}
        onChange={(listed) => set({ status_list: listed })}
      />
      <LinesField
        label={say(apis.claims)}
        hint={say(apis.claimsHint)}
        add={say(apis.addClaim)}
        placeholder="department = attributes.department"
        value={values.claim_mappings}
        onChange={(lines) => set({ claim_mappings: lines })}
        {...given({ fault: form.faultOf('claim_mappings') })}
      />
      <CheckField
        label={say(roles.requireRoles)}
        hint={say(roles.requireRolesHint)}
        value={values.require_roles}
        onChange={(required) => set({ require_roles: required })}
      />
      <DecisionFields form={form} />
    </>
  )
}
