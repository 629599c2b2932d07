/** The tools: a look into a token, and flows walked step by step. */
import { useState } from 'react'
import { Tabs } from '../../app/items/tabs.tsx'
import { useGo } from '../../app/link.tsx'
import { tools } from '../../messages/tools.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { Inspector } from './inspector.tsx'
import { Playground } from './playground.tsx'

export function Page() {
  const say = useSay()
  const go = useGo()
  // Here and nowhere else: no address, no storage.
  const [token, setToken] = useState('')
  return (
    <>
      <PageHeader title={say(tools.title)} text={say(tools.text)} />
      <Tabs
        to="/tools"
        label={say(tools.title)}
        tabs={[
          {
            id: 'inspector',
            title: say(tools.tabInspector),
            content: () => <Inspector token={token} onChange={setToken} />,
          },
          {
            id: 'playground',
            title: say(tools.tabPlayground),
            content: () => (
              <Playground
                inspect={(issued) => {
                  setToken(issued)
                  go({ to: '/tools' })
                }}
              />
            ),
          },
        ]}
      />
    </>
  )
}
