/** The page of roles. */
import { useConsole } from '../../app/console-context.ts'
import { ButtonLink } from '../../app/link.tsx'
import { roles } from '../../messages/groups.ts'
import { PageHeader } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { RoleList } from './role-list.tsx'

export function Page() {
  const say = useSay()
  const { session } = useConsole()
  return (
    <>
      <PageHeader
        title={say(roles.title)}
        text={say(roles.text)}
        actions={
          session.may('admin:roles:write') ? (
            <ButtonLink to="/new-role" kind="primary" icon="plus">
              {say(roles.create)}
            </ButtonLink>
          ) : undefined
        }
      />
      <RoleList />
    </>
  )
}
