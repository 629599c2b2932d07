/* Conveniences of forms that work without them: a password can be shown, a wait is counted down, a code that is complete
   goes by itself, a new password is told how hard it is to guess, and what is to be kept can be copied, saved and printed. */
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

/* Only what somebody types or pastes sends itself: what a program fills in, it also sends. And only once. */
for (const input of document.querySelectorAll('[data-submits-after]')) {
  let byHand = false
  let sent = false
  input.form.addEventListener('submit', () => (sent = true))
  input.addEventListener('keydown', (event) => (byHand = event.isTrusted))
  input.addEventListener('paste', (event) => (byHand = event.isTrusted))
  input.addEventListener('input', () => {
    const whole = input.value.replace(/\s/g, '').length === Number(input.dataset.submitsAfter)
    if (byHand && whole && !sent) input.form.requestSubmit(input.form.querySelector('button[type=submit]'))
    byHand = false
  })
}

/* A hint and no judge: how many guesses the length and the kinds of signs allow, and no repetition counts. */
for (const meter of document.querySelectorAll('[data-strength-of]')) {
  const input = document.getElementById(meter.dataset.strengthOf)
  const kinds = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/[0-9]/, 10],
    [/[^a-zA-Z0-9]/, 33],
  ]
  input.addEventListener('input', () => {
    const size = kinds.reduce((sum, [kind, letters]) => sum + (kind.test(input.value) ? letters : 0), 0)
    const bits = new Set(input.value).size * Math.log2(Math.max(1, size))
    meter.hidden = input.value === ''
    meter.textContent = bits < 40 ? meter.dataset.weak : bits < 60 ? meter.dataset.fair : meter.dataset.strong
  })
}

for (const button of document.querySelectorAll('[data-keeps]')) {
  const text = [...document.querySelectorAll(button.dataset.of)].map((it) => it.textContent).join('\n')
  const ways = {
    copy: () => navigator.clipboard.writeText(text),
    print: () => window.print(),
    save: () => {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
      link.download = button.dataset.file
      link.click()
      URL.revokeObjectURL(link.href)
    },
  }
  button.hidden = false
  button.addEventListener('click', async () => {
    await ways[button.dataset.keeps]()
    if (button.dataset.done !== undefined) button.textContent = button.dataset.done
  })
}
