/* Two conveniences of forms that work without them: a password can be shown, and a wait is counted down. */
for (const button of document.querySelectorAll('[data-shows]')) {
  const input = document.getElementById(button.dataset.shows)
  button.hidden = false
  button.addEventListener('click', () => {
    const shown = input.type === 'password'
    input.type = shown ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(shown))
    input.focus()
  })
  /* What a browser remembers of a form must not be what somebody showed for a moment. */
  input.form.addEventListener('submit', () => (input.type = 'password'))
}

for (const time of document.querySelectorAll('[data-seconds]')) {
  const ends = Date.now() + 1000 * Number(time.dataset.seconds)
  const show = () => {
    const left = Math.max(0, Math.ceil((ends - Date.now()) / 1000))
    time.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
    if (left === 0) clearInterval(ticking)
  }
  const ticking = setInterval(show, 1000)
  show()
}
