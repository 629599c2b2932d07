/** What a person signs in with, and nothing that one could sign in with; each can be taken away. */
import type { ReactNode } from 'react'
import { type AdminApi, answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { PageFault } from '../../app/frame/page-fault.tsx'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { useItem } from '../../app/items/use-item.ts'
import { people, signInMethods } from '../../messages/people.ts'
import { Badge, Card, Clip, Skeleton } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Person } from './person.tsx'

interface Times {
  readonly created_at: string
  readonly last_used_at?: string
}

/** As the admin API answers; its description leaves it open. */
interface SignInMethodsOf {
  readonly password: { readonly must_change: boolean; readonly changed_at?: string } | null
  readonly passkeys: readonly (Times & { readonly id: string; readonly name: string; readonly synced: boolean })[]
  readonly totp: Times | null
  readonly recovery_codes: number
  readonly providers: readonly { readonly id: string; readonly issuer: string; readonly created_at: string }[]
  readonly remembered_browsers: readonly {
    readonly id: string
    readonly user_agent?: string
    readonly device?: string
    readonly created_at: string
    readonly expires_at: string
  }[]
}

/** One line of the table. */
interface Method {
  readonly key: string
  readonly name: string
  readonly about: ReactNode
  readonly since: string | undefined
  readonly used: string | undefined
  readonly removal: { readonly method: string; readonly id?: string }
}

export function SignInMethods({ person }: { readonly person: Person }) {
  const say = useSay()
  const { session } = useConsole()
  const path = { id: person.id }
  const result = useItem(['/v1/users', person.id, 'sign-in-methods'], (api) =>
    api.GET('/v1/users/{id}/sign-in-methods', { params: { path } }),
  )
  const methods = useMethods(result.data?.value as SignInMethodsOf | undefined)
  const mayWrite = session.may('admin:users:write')
  const labels = {
    name: say(signInMethods.method),
    since: say(signInMethods.since),
    used: say(signInMethods.used),
  }
  if (result.isError && result.data === undefined)
    return (
      <Card title={say(signInMethods.title)}>
        <PageFault error={result.error} retry={() => void result.refetch()} />
      </Card>
    )
  return (
    <Card
      title={say(signInMethods.title)}
      text={say(signInMethods.text)}
      flush={methods !== null && methods.length > 0}
    >
      {methods === null ? (
        <div aria-busy="true">
          <Skeleton width="40%" />
        </div>
      ) : methods.length === 0 ? (
        <p className="muted">{say(signInMethods.none)}</p>
      ) : (
        <table className="table" aria-label={say(signInMethods.title)}>
          <thead>
            <tr>
              <th scope="col" style={{ inlineSize: '42%' }}>
                {labels.name}
              </th>
              <th scope="col">{labels.since}</th>
              <th scope="col">{labels.used}</th>
              {mayWrite ? (
                <th scope="col" className="end">
                  <span className="hidden-label">{say(signInMethods.remove)}</span>
                </th>
              ) : null}
            </tr>
          </thead>
          <tbody>
            {methods.map((it) => (
              <tr key={it.key}>
                <td data-label={labels.name}>
                  <div>
                    <Clip>{it.name}</Clip>
                    {it.about}
                  </div>
                </td>
                <td data-label={labels.since}>{it.since === undefined ? '–' : <Moment at={it.since} />}</td>
                <td data-label={labels.used}>{it.used === undefined ? '–' : <Moment at={it.used} />}</td>
                {mayWrite ? (
                  <td data-label="" className="end">
                    <Remove person={person} method={it} />
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

function Remove({ person, method }: { readonly person: Person; readonly method: Method }) {
  const say = useSay()
  const remove = useAct((api: AdminApi) => removeMethod(api, person.id, method.removal), {
    done: say(signInMethods.removed),
    refresh: ['/v1/users', '/v1/sessions', '/v1/events'],
  })
  const words = method.removal.method === 'password' ? signInMethods.removePasswordText : signInMethods.removeText
  return (
    <ConfirmButton
      size="small"
      action={say(signInMethods.remove)}
      title={say(signInMethods.removeTitle, { method: method.name, name: person.username })}
      text={say(words)}
      busy={remove.busy}
      onConfirm={() => remove.run()}
    />
  )
}

const removeMethod = (api: AdminApi, id: string, removal: Method['removal']) =>
  answered(api.POST('/v1/users/{id}/remove-sign-in-method', { params: { path: { id } }, body: removal as never }))

/** Null while they are on their way. */
function useMethods(of: SignInMethodsOf | undefined): readonly Method[] | null {
  const say = useSay()
  if (of === undefined) return null
  const { password, passkeys, totp, recovery_codes: codes, providers, remembered_browsers: browsers } = of
  return [
    ...(password === null
      ? []
      : [
          {
            key: 'password',
            name: say(people.password),
            about: password.must_change ? <Badge tone="warning">{say(signInMethods.mustChange)}</Badge> : null,
            since: password.changed_at,
            used: undefined,
            removal: { method: 'password' },
          },
        ]),
    ...passkeys.map(({ id, name, synced, created_at: since, last_used_at: used }) => ({
      key: `passkey ${id}`,
      name: say(signInMethods.passkey, { name }),
      about: <Badge>{say(synced ? signInMethods.synced : signInMethods.oneDevice)}</Badge>,
      since,
      used,
      removal: { method: 'passkey', id },
    })),
    ...(totp === null
      ? []
      : [
          {
            key: 'totp',
            name: say(signInMethods.totp),
            about: null,
            since: totp.created_at,
            used: totp.last_used_at,
            removal: { method: 'totp' },
          },
        ]),
    ...(codes === 0
      ? []
      : [
          {
            key: 'codes',
            name: say(signInMethods.recoveryCodes, { n: codes }),
            about: null,
            since: undefined,
            used: undefined,
            removal: { method: 'recovery_codes' },
          },
        ]),
    ...providers.map(({ id, issuer, created_at: since }) => ({
      key: `provider ${id} ${issuer}`,
      name: say(signInMethods.provider, { name: id }),
      about: <Badge title={issuer}>{issuer}</Badge>,
      since,
      used: undefined,
      removal: { method: 'provider', id },
    })),
    ...browsers.map(({ id, user_agent: agent, device = agent, created_at: since }) => ({
      key: `browser ${id}`,
      name: device ?? say(signInMethods.browser),
      about: <Badge tone="info">{say(signInMethods.remembered)}</Badge>,
      since,
      used: undefined,
      removal: { method: 'remembered_browser', id },
    })),
  ]
}
