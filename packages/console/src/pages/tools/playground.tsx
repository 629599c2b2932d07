/** The playground: a flow, a client, and the steps one after the other. */
import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { useGo, useSearchParams } from '../../app/link.tsx'
import { useTyped } from '../../app/use-typed.ts'
import { playground } from '../../messages/tools.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/content.tsx'
import { TextField } from '../../ui/field.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { type FlowName, flowNames, flows, type PlaygroundInput } from './flows.ts'
import { PlaygroundStep } from './playground-step.tsx'
import { useWalk } from './use-walk.ts'

const icons: Readonly<Record<FlowName, IconName>> = { code: 'person', machine: 'machine', device: 'tv' }

export function Playground({ inspect }: { readonly inspect: (token: string) => void }) {
  const say = useSay()
  const go = useGo()
  const { flow: wanted, client = '' } = useSearchParams()
  const flow = flowNames.find((it) => it === wanted) ?? 'code'
  const { place } = useConsole()
  const [input, set] = useInput(client)
  const change = (search: { readonly flow?: string; readonly client?: string }): void =>
    go({ to: '/tools', search: { tab: 'playground', flow, client, ...search }, replace: true })
  const [clientId, setClientId] = useTyped(client, (typed) => change({ client: typed }))
  const control = useWalk(place.issuer, { ...input, clientId })
  const field = (name: keyof typeof input) => ({
    value: input[name],
    onChange: (value: string) => set({ [name]: value }),
  })
  return (
    <div className="stack">
      <fieldset className="field">
        <legend>{say(playground.flow)}</legend>
        <div className="choices">
          {flowNames.map((name) => (
            <label className="choice" key={name}>
              <input
                type="radio"
                name="flow"
                checked={name === flow}
                onChange={() => {
                  control.beginAgain()
                  change({ flow: name })
                }}
              />
              <Icon name={icons[name]} />
              <strong>{say(flows[name].title)}</strong>
              <span>{say(flows[name].text)}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <Card title={say(playground.client)}>
        <div className="form-grid">
          <TextField
            label={say(playground.client)}
            hint={say(playground.clientHint)}
            value={clientId}
            onChange={setClientId}
          />
          <TextField
            label={say(playground.secret)}
            hint={say(playground.secretHint)}
            type="password"
            optional
            {...field('secret')}
          />
          {flow === 'code' ? <TextField label={say(playground.redirectUri)} {...field('redirectUri')} /> : null}
          <TextField label={say(playground.scope)} {...field('scope')} />
          <TextField
            label={say(playground.resource)}
            hint={say(playground.resourceHint)}
            optional
            {...field('resource')}
          />
        </div>
      </Card>
      <div className="row spread">
        <h2>{say(playground.steps)}</h2>
        <Button size="small" icon="refresh" onClick={control.beginAgain}>
          {say(playground.again)}
        </Button>
      </div>
      <ol className="stack">
        {flows[flow].steps.map((step, at) => (
          <li key={`${flow} ${step}`}>
            <PlaygroundStep step={step} number={at + 1} control={control} inspect={inspect} />
          </li>
        ))}
      </ol>
    </div>
  )
}

type Typed = Omit<PlaygroundInput, 'clientId'>

/** What the client has is filled in as soon as it is known, over what was filled in for another. */
function useInput(client: string): readonly [Typed, (change: Partial<Typed>) => void] {
  const { api, session } = useConsole()
  const [typed, setTyped] = useState<Typed>({ secret: '', redirectUri: '', scope: '', resource: '' })
  const { data } = useQuery({
    queryKey: ['/v1/clients', client, 'playground'],
    queryFn: () => answered(api.GET('/v1/clients/{id}', { params: { path: { id: client } } })),
    retry: false,
    enabled: client !== '' && session.may('admin:clients:read'),
  })
  useEffect(() => {
    if (data === undefined) return
    const { redirect_uris: uris, scope } = data
    setTyped((before) => ({ ...before, redirectUri: uris?.[0] ?? '', scope: scope ?? '' }))
  }, [data])
  return [typed, (change) => setTyped((before) => ({ ...before, ...change }))]
}
