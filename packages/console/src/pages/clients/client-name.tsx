/** A client in a list: its name, which leads to it, and its id. */
import type { Schemas } from '../../api/client.ts'
import { PageLink } from '../../app/link.tsx'
import { Clip } from '../../ui/content.tsx'

export function ClientName({ client: { id, client_name: name } }: { readonly client: Schemas['Clients'] }) {
  return (
    <div>
      <PageLink to="/clients/$id" params={{ id }} className="row-link">
        <Clip>{name ?? id}</Clip>
      </PageLink>
      <span className="muted small">
        <Clip mono>{id}</Clip>
      </span>
    </div>
  )
}
