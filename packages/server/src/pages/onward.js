/* Goes on from the front-channel logout page once every frame has answered, or after three seconds. */
{
  const onward = document.getElementById('onward')
  const frames = Array.from(document.querySelectorAll('iframe'))
  let open = frames.length
  const go = () => {
    if (onward instanceof HTMLAnchorElement) window.location.replace(onward.href)
  }
  const answered = () => {
    open -= 1
    if (open === 0) go()
  }
  for (const frame of frames) {
    frame.addEventListener('load', answered, { once: true })
    /* Set here, after the listener, so that no frame can answer unheard. */
    frame.src = frame.dataset.src
  }
  setTimeout(go, open === 0 ? 0 : 3000)
}
