/** Runs before anything is drawn: a choice of colours made earlier is taken up without a flash of the other. */
try {
  const chosen = localStorage.getItem('theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // Storage is switched off: the colours of the system are used.
}
