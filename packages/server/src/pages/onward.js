/* Goes on from the front-channel logout page once every frame has answered (the window's load waits for them), or after
   three seconds. Without script the button does the same. */
{
  const onward = document.getElementById('onward')
  const go = () => {
    if (onward instanceof HTMLAnchorElement) window.location.replace(onward.href)
  }
  window.addEventListener('load', go, { once: true })
  setTimeout(go, 3000)
}
