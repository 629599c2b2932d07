/** Who did what an event says, and whom it is about. */
import { Clip } from '../../ui/content.tsx'
import { PersonLink } from '../people/person-link.tsx'

interface AboutProps {
  readonly of: { readonly client_id?: string; readonly subject?: string }
}

export const About = ({ of: { client_id: client, subject } }: AboutProps) =>
  client === undefined && subject !== undefined ? <PersonLink id={subject} /> : <Clip>{client ?? '–'}</Clip>

export const Actor = ({ of: { kind, id } }: { readonly of: { readonly kind: string; readonly id?: string } }) =>
  kind === 'user' && id !== undefined ? <PersonLink id={id} /> : <Clip>{id ?? kind}</Clip>
