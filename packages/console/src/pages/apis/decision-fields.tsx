/** Who is asked before a token of an API is issued: its policy service, and its hook. */
import type { Form } from '../../app/forms/use-form.ts'
import { decisions } from '../../messages/apis.ts'
import { given, SelectField, TextField } from '../../ui/field.tsx'
import { LinesField } from '../../ui/lines-field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Api } from './list.tsx'

type Hook = NonNullable<Api['issuance_hook']>

/** Both at once: a policy service has no claims. As typed; without an address there is none. */
export interface DecisionPoint {
  readonly url: string
  readonly deadline_ms: string
  readonly on_failure: 'deny' | 'allow'
  readonly claims: readonly string[]
  /** Which of its secrets, where it was said. */
  readonly key?: number
}

export const noPoint: DecisionPoint = { url: '', deadline_ms: '', on_failure: 'deny', claims: [] }

export const editablePoint = (of: Hook | undefined): DecisionPoint =>
  of === undefined
    ? noPoint
    : {
        url: of.url,
        deadline_ms: String(of.deadline_ms ?? ''),
        on_failure: of.on_failure ?? 'deny',
        claims: of.claims ?? [],
        ...(of.key === undefined ? {} : { key: of.key }),
      }

/** Null takes it away. */
export function pointBody({ url, deadline_ms: deadline, on_failure: failure, claims, key }: DecisionPoint) {
  if (url.trim() === '') return null
  const listed = claims.map((claim) => claim.trim()).filter((claim) => claim !== '')
  // RFC 7396: what is not said here would stay as it was.
  return {
    url: url.trim(),
    deadline_ms: deadline.trim() === '' ? null : Number(deadline),
    on_failure: failure,
    claims: listed.length === 0 ? null : listed,
    ...(key === undefined ? {} : { key }),
  }
}

interface Decided {
  readonly policy_service: DecisionPoint
  readonly issuance_hook: DecisionPoint
}

export function DecisionFields<F extends Decided>({ form }: { readonly form: Form<F> }) {
  const say = useSay()
  const fields = (name: keyof Decided) => {
    const point = form.values[name]
    const set = (change: Partial<DecisionPoint>): void =>
      form.set({ [name]: { ...point, ...change } } as unknown as Partial<F>)
    const words = name === 'policy_service' ? decisions.policy : decisions.hook
    const hint = name === 'policy_service' ? decisions.policyHint : decisions.hookHint
    return (
      <>
        <TextField
          label={say(words)}
          hint={say(hint)}
          optional
          inputMode="url"
          placeholder={
            name === 'policy_service' ? 'https://policy.example/access/v1/evaluation' : 'https://hook.example/'
          }
          value={point.url}
          onChange={(url) => set({ url })}
          {...given({ fault: form.faultOf(name) })}
        />
        {point.url.trim() === '' ? null : (
          <div className="form-grid">
            <TextField
              label={say(decisions.deadline, { name: say(words) })}
              hint={say(decisions.deadlineHint)}
              optional
              inputMode="numeric"
              value={point.deadline_ms}
              onChange={(deadline) => set({ deadline_ms: deadline })}
            />
            <SelectField
              label={say(decisions.failure, { name: say(words) })}
              value={point.on_failure}
              onChange={(failure) => set({ on_failure: failure as DecisionPoint['on_failure'] })}
              options={[
                { value: 'deny', label: say(decisions.deny) },
                { value: 'allow', label: say(decisions.allow) },
              ]}
            />
          </div>
        )}
        {name === 'policy_service' || point.url.trim() === '' ? null : (
          <LinesField
            label={say(decisions.claims)}
            hint={say(decisions.claimsHint)}
            add={say(decisions.addClaim)}
            value={point.claims}
            onChange={(claims) => set({ claims })}
          />
        )}
      </>
    )
  }
  return (
    <>
      {fields('policy_service')}
      {fields('issuance_hook')}
    </>
  )
}
