/** A person by their name, where it may be known; by their subject otherwise. */
import { useQuery } from '@tanstack/react-query'
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { PageLink } from '../../app/link.tsx'
import { Clip, Skeleton } from '../../ui/content.tsx'

/** Names change rarely, and the same few people are on every page. */
const keep = 300_000

export const nameKey = (id: string) => ['person-name', id] as const

function usePerson(id: string) {
  const { api, session } = useConsole()
  return useQuery({
    queryKey: nameKey(id),
    queryFn: () => answered(api.GET('/v1/users/{id}', { params: { path: { id } } })),
    staleTime: keep,
    retry: false,
    enabled: id !== '' && session.may('admin:users:read'),
  })
}

/** Undefined while it is on its way, and where there is nobody of that id. */
export const usePersonName = (id: string): string | undefined => usePerson(id).data?.username

export function PersonLink({ id }: { readonly id: string }) {
  const { data, isLoading } = usePerson(id)
  const name = data?.username
  return (
    <PageLink to="/people/$id" params={{ id }} title={id}>
      {isLoading ? <Skeleton width="5rem" /> : <Clip mono={name === undefined}>{name ?? id}</Clip>}
    </PageLink>
  )
}
