/** `/`: the front page. The steps of a demo contain a secret, and are shown on this machine only. */
import { isLoopback } from '../config/addresses.ts'
import { landingPage } from '../pages/landing.ts'
import { showPage } from './page-answer.ts'
import { pageRoute } from './page-route.ts'
import { rememberLanguage } from './visit.ts'

export const landing = pageRoute({ path: '/', methods: ['GET'] }, (request) => {
  const { visit, reply } = request
  const { demoSteps } = reply.server
  rememberLanguage(reply, visit)
  const { ip } = visit.visitor
  const isHere = ip !== null && isLoopback(ip) && visit.base === ''
  const page = landingPage(visit.pageContext(), { issuerPath: visit.base, steps: isHere ? demoSteps.current : [] })
  return showPage(request, page)
})
