/* Follows the link of a page that leads on, once everything in it has answered (the window's load waits for frames), or
   after three seconds; and only once, since a link to an app leaves the page where it is. */
{
  const onward = document.getElementById('onward')
  let gone = false
  const go = () => {
    if (gone || !(onward instanceof HTMLAnchorElement)) return
    gone = true
    window.location.replace(onward.href)
  }
  window.addEventListener('load', go, { once: true })
  setTimeout(go, 3000)
}
