/** Our mark, and of what this is the console. */
import { frame } from '../../messages/frame.ts'
import { useSay } from '../../ui/preferences.tsx'
import mark from '../../ui/mark.svg'
import { useConsole } from '../console-context.ts'
import { PageLink } from '../link.tsx'

export function Brand() {
  const { place } = useConsole()
  const say = useSay()
  return (
    <PageLink to="/" className="brand">
      <img src={mark} alt="" width={28} height={28} />
      <span className="clip">
        {say(frame.product)} {say(frame.console)}
        <span className="brand-place clip">{place.tenant ?? new URL(place.issuer).host}</span>
      </span>
    </PageLink>
  )
}
