/** The fields of a scope that its maker and its keeper fill in alike: its texts by language, its API, how it is asked for. */
import type { Form } from '../../app/forms/use-form.ts'
import { scopes } from '../../messages/apis.ts'
import { languages } from '../../messages/words.ts'
import { CheckField, given, SelectField, TextField } from '../../ui/field.tsx'
import { usePreferences, useSay } from '../../ui/preferences.tsx'
import { type Scope, useApiOptions } from './scope-list.tsx'

export interface EditableScope {
  /** By language; what is said in one only is that of all. */
  readonly description: Readonly<Record<string, string>>
  readonly resource: string
  readonly sensitivity: Scope['sensitivity']
  readonly optional: boolean
}

export const scopeFieldNames = ['description', 'resource', 'sensitivity', 'mode'] as const

export const editableScope = (scope: Scope): EditableScope => ({
  description: typeof scope.description === 'string' ? { en: scope.description } : scope.description,
  resource: scope.resource ?? '',
  sensitivity: scope.sensitivity,
  optional: scope.mode === 'optional',
})

export function scopeBody({ description, resource, sensitivity, optional }: Partial<EditableScope>): object {
  const texts = Object.entries(description ?? {}).filter(([, text]) => text.trim() !== '')
  const [only] = texts
  const isPlain = texts.length <= 1 && (only === undefined || only[0] === 'en')
  return {
    // One that is null in a change is taken away (RFC 7396): texts that were emptied must not stay.
    ...(description === undefined
      ? {}
      : {
          description: isPlain ? (only?.[1].trim() ?? '') : { ...emptied(description), ...Object.fromEntries(texts) },
        }),
    ...(resource === undefined ? {} : { resource: resource === '' ? null : resource }),
    ...(sensitivity === undefined ? {} : { sensitivity }),
    ...(optional === undefined ? {} : { mode: optional ? 'optional' : 'default' }),
  }
}

const emptied = (description: EditableScope['description']): Record<string, null> =>
  Object.fromEntries(Object.entries(description).flatMap(([tag, text]) => (text.trim() === '' ? [[tag, null]] : [])))

export function ScopeFields<F extends EditableScope>({ form }: { readonly form: Form<F> }) {
  const say = useSay()
  const { language } = usePreferences()
  const apiOptions = useApiOptions()
  const { values } = form
  const set = (change: Partial<EditableScope>): void => form.set(change as Partial<F>)
  const tags = [...new Set([...languages, ...Object.keys(values.description)])]
  const names = new Intl.DisplayNames(language, { type: 'language' })
  const known = apiOptions.some(({ value }) => value === values.resource)
  return (
    <>
      <div className="form-grid">
        {tags.map((tag) => (
          <TextField
            key={tag}
            label={say(scopes.descriptionIn, { language: names.of(tag) ?? tag })}
            hint={say(tag === 'en' ? scopes.descriptionHint : scopes.descriptionOther)}
            optional={tag !== 'en'}
            dir="auto"
            value={values.description[tag] ?? ''}
            onChange={(text) => set({ description: { ...values.description, [tag]: text } })}
            {...given({ fault: tag === tags[0] ? form.faultOf('description') : undefined })}
          />
        ))}
      </div>
      <div className="form-grid">
        <SelectField
          label={say(scopes.resource)}
          value={values.resource}
          onChange={(resource) => set({ resource })}
          options={[
            { value: '', label: say(scopes.resourceNone) },
            ...apiOptions,
            ...(values.resource === '' || known ? [] : [{ value: values.resource, label: values.resource }]),
          ]}
          {...given({ fault: form.faultOf('resource') })}
        />
        <SelectField
          label={say(scopes.sensitivity)}
          value={values.sensitivity}
          onChange={(sensitivity) => set({ sensitivity: sensitivity as Scope['sensitivity'] })}
          options={[
            { value: 'low', label: say(scopes.sensitivityLow) },
            { value: 'normal', label: say(scopes.sensitivityNormal) },
            { value: 'high', label: say(scopes.sensitivityHigh) },
          ]}
          {...given({ fault: form.faultOf('sensitivity') })}
        />
      </div>
      <CheckField
        label={say(scopes.optional)}
        hint={say(scopes.optionalHint)}
        value={values.optional}
        onChange={(optional) => set({ optional })}
      />
    </>
  )
}
