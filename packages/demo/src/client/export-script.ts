/** The script of the demo client: updates the progress of an export in place, without reloading the page. */

export const exportScript = `const section = document.querySelector('.export')
const again = document.querySelector('#look-again')
again.hidden = true

const look = async () => {
  const answer = await fetch('/client/export', { cache: 'no-store' })
  if (!answer.ok) throw new Error('answered with ' + answer.status)
  const news = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('.export')
  if (news.querySelector('#cancel-export') === null) return end(news)
  const progress = section.querySelector('progress')
  for (const { name, value } of news.querySelector('progress').attributes) progress.setAttribute(name, value)
  section.querySelector('#export-status').textContent = news.querySelector('#export-status').textContent
  lookSoon()
}

const end = (news) => {
  const hadFocus = section.contains(document.activeElement)
  const button = document.querySelector('#export')
  section.replaceChildren(...news.childNodes)
  button.form.hidden = false
  if (hadFocus) (section.querySelector('a') ?? button).focus()
}

const lookSoon = () => setTimeout(() => look().catch(() => (again.hidden = false)), 1000)
lookSoon()
`
