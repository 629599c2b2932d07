/* Lets the browser's authenticators answer the forms that carry data-passkey: by their button, and for a sign-in also
   from the autofill of the username. What they answer goes into the form's own field, and the form is sent. */
{
  const supported = window.PublicKeyCredential !== undefined && navigator.credentials !== undefined
  const forms = [...document.querySelectorAll('form[data-passkey]')]
  let waiting = new AbortController()

  const bytesOf = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  const textOf = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '')

  /* For browsers without parseCreationOptionsFromJSON and parseRequestOptionsFromJSON. */
  const listed = (credentials) => (credentials ?? []).map((it) => ({ ...it, id: bytesOf(it.id) }))
  const parsed = (json) => ({
    ...json,
    challenge: bytesOf(json.challenge),
    ...(json.user === undefined ? {} : { user: { ...json.user, id: bytesOf(json.user.id) } }),
    ...(json.allowCredentials === undefined ? {} : { allowCredentials: listed(json.allowCredentials) }),
    ...(json.excludeCredentials === undefined ? {} : { excludeCredentials: listed(json.excludeCredentials) }),
  })
  const optionsOf = (form) => {
    const json = JSON.parse(form.dataset.options)
    const parse =
      form.dataset.passkey === 'create'
        ? PublicKeyCredential.parseCreationOptionsFromJSON
        : PublicKeyCredential.parseRequestOptionsFromJSON
    return parse === undefined ? parsed(json) : parse.call(PublicKeyCredential, json)
  }

  /* For browsers without toJSON. */
  const written = ({ id, rawId, type, response }) => {
    const said = { clientDataJSON: textOf(response.clientDataJSON) }
    for (const name of ['attestationObject', 'authenticatorData', 'signature', 'userHandle'])
      if (response[name] instanceof ArrayBuffer) said[name] = textOf(response[name])
    if (typeof response.getTransports === 'function') said.transports = response.getTransports()
    return { id, rawId: textOf(rawId), type, response: said, clientExtensionResults: {} }
  }

  const send = (form, credential) => {
    const json = typeof credential.toJSON === 'function' ? credential.toJSON() : written(credential)
    form.elements.namedItem('passkey').value = JSON.stringify(json)
    form.submit()
  }

  const ask = async (form) => {
    const failed = form.querySelector('[data-passkey-failed]')
    failed.hidden = true
    waiting.abort()
    waiting = new AbortController()
    try {
      const wish = { publicKey: optionsOf(form), signal: waiting.signal }
      send(form, await navigator.credentials[form.dataset.passkey](wish))
    } catch {
      failed.hidden = false
    }
  }

  const offer = async (form) => {
    const available = await window.PublicKeyCredential.isConditionalMediationAvailable?.()
    if (!available) return
    const wish = { publicKey: optionsOf(form), mediation: 'conditional', signal: waiting.signal }
    /* Nobody chose one, or the button was pressed instead. */
    await navigator.credentials.get(wish).then(
      (credential) => send(form, credential),
      () => undefined,
    )
  }

  for (const form of forms) {
    form.hidden = !supported
    const excuse = form.parentElement.querySelector('[data-passkey-unsupported]')
    if (excuse !== null) excuse.hidden = supported
    if (!supported) continue
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void ask(form)
    })
    if (form.dataset.autofill !== undefined) void offer(form)
  }
}
