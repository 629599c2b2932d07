/** The page that `error_uri` and a problem's `type` link to: what happened, why, and what to do. */
import { outcomeCard, wayOn } from '../components/card.ts'
import { leftToRight } from '../components/direction.ts'
import { type Html, html, nothing } from '../html.ts'
import { type PageContext, layout } from '../layout.ts'
import { type ProblemText, problems } from './list.ts'

/** The explanations are for developers and written in English, whatever the language of the page around them. */
const english = (context: PageContext): Html => (context.language.tag === 'en' ? nothing : html` lang="en" dir="ltr"`)

export function problemPage(context: PageContext, problem: ProblemText): Html {
  const words = context.language.messages.problem
  return layout(context, {
    title: problem.code,
    shape: 'wide',
    main: html`<article class="problem">
<p class="eyebrow"><a href="${context.base}/problems">${words.all}</a></p>
<h1><code>${problem.code}</code></h1>
<p class="lead"${english(context)}>${problem.title}</p>
<h2>${words.happened}</h2>
<p${english(context)}>${problem.happened}</p>
<h2>${words.why}</h2>
<ul${english(context)}>${problem.why.map((reason) => html`<li>${reason}</li>`)}</ul>
<h2>${words.remedy}</h2>
<ul${english(context)}>${problem.remedy.map((step) => html`<li>${step}</li>`)}</ul>
<dl class="facts">
<div><dt>${words.source}</dt><dd>${leftToRight(problem.source)}</dd></div>
${
  problem.status === null
    ? nothing
    : html`<div>
        <dt>${words.status}</dt>
        <dd>${problem.status}</dd>
      </div>`
}
</dl>
</article>`,
  })
}

/** For an unknown code: the route answers 404 with this page. */
export function unknownProblemPage(context: PageContext): Html {
  const words = context.language.messages.problem
  return outcomeCard(context, {
    outcome: 'failed',
    id: 'error',
    title: words.unknownTitle,
    lead: words.unknown,
    content: wayOn(`${context.base}/problems`, words.all),
  })
}

export function problemIndexPage(context: PageContext): Html {
  const words = context.language.messages.problem
  const families = Object.entries(words.families) as [ProblemText['family'], string][]
  return layout(context, {
    title: words.all,
    shape: 'wide',
    main: html`<h1>${words.all}</h1>
      <p class="lead">${words.allLead}</p>
      ${families.map(
        ([family, heading]) =>
          html`<section>
            <h2>${heading}</h2>
            <dl class="index" ${english(context)}>
              ${problems
                .filter((problem) => problem.family === family)
                .map(
                  (problem) =>
                    html`<div>
                      <dt>
                        <a href="${context.base}/problems/${problem.code}"><code>${problem.code}</code></a>
                      </dt>
                      <dd>${problem.title}</dd>
                    </div>`,
                )}
            </dl>
          </section>`,
      )}`,
  })
}
