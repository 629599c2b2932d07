/** Lines that run, for a client of this kind. */
import { clients, wizard } from '../../messages/clients.ts'
import { Code } from '../../ui/code.tsx'
import { Card } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { KindName } from './kinds.ts'
import { type SnippetFacts, snippetOf } from './snippets.ts'

export function Snippets({ kind, facts }: { readonly kind: KindName; readonly facts: SnippetFacts }) {
  const say = useSay()
  const { curl, code } = snippetOf(kind, facts)
  return (
    <Card title={say(clients.tabSnippets)}>
      <div className="stack-small">
        <h3>{say(wizard.snippetCurl)}</h3>
        <Code text={curl} label={say(wizard.snippetCurl)} />
        <h3>{say(wizard.snippetCode)}</h3>
        <Code text={code} label={say(wizard.snippetCode)} />
      </div>
    </Card>
  )
}
