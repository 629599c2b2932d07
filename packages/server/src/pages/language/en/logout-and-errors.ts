/** English: signing out, and what went wrong. */
export const logoutAndErrors = {
  landing: {
    title: 'Authorization service',
    lead: 'People sign in here, and decide which apps may do what in their name.',
    account: { title: 'Your account', lead: 'Apps with access, sessions, and how you sign in.' },
    console: { title: 'Console', lead: 'Clients, people, access and keys, for administrators.' },
    discovery: { title: 'Discovery document', lead: 'Where clients and APIs find every endpoint of this issuer.' },
    problems: { title: 'Error codes', lead: 'What each error means, and what to do about it.' },
    tryIt: 'Try it',
    steps: {
      token: 'Get a token, in a shell',
      call: 'Call the Orders API with it',
      revoke: 'Revoke it; the same call is then refused',
      trust: 'Let the browsers of this machine trust its certificate; the same with --remove undoes it',
      browser: 'Sign in with a browser, as alice with the password alice',
      terminal: 'Sign in from a terminal, by a code',
    },
  },
  logout: {
    title: 'Sign out?',
    asked: (client: string) => `${client} asks to sign you out.`,
    lead: (service: string) => `You will be signed out of ${service} in this browser.`,
    confirm: 'Sign out',
    stay: 'Stay signed in',
    doneTitle: 'You are signed out',
    done: (service: string) => `You are no longer signed in to ${service} in this browser.`,
    back: (client: string) => `Back to ${client}`,
    signInAgain: 'Sign in again',
    framesTitle: 'You are signed out',
    frames: 'Telling the apps that you used. This takes a moment.',
    frame: (host: string) => `Sign-out at ${host}`,
    onward: 'Continue',
  },
  error: {
    trace: 'Trace id',
    traceHint: 'Give this to support. It says nothing about you.',
    code: 'Error code',
    home: 'Go to the front page',
    kinds: {
      request: {
        title: 'This request cannot be answered',
        lead: 'The app that sent you here asked in a way that is not valid.',
        remedy: 'Go back to the app and try again. If it happens again, tell the people who run it.',
      },
      client: {
        title: 'We do not know this app',
        lead: 'The app that sent you here is not registered with this service.',
        remedy: 'To protect you, we did not send anything there. Tell the people who run the app.',
      },
      missing: {
        title: 'The app’s request is incomplete',
        lead: 'The app that sent you here left out something that is needed: who it is, or where the answer should go.',
        remedy: 'Go back to the app and try again. If it happens again, tell the people who run it.',
      },
      redirect: {
        title: 'The app’s return address is not registered',
        lead: 'We know the app that sent you here, but not the address it wants the answer sent to.',
        remedy:
          'To protect you, we did not send anything there. Tell the people who run the app: its redirect_uri must be registered exactly as it is sent.',
      },
      expired: {
        title: 'This took too long',
        lead: 'The request is no longer valid, or it was already answered.',
        remedy: 'Go back to the app and start again.',
      },
      elsewhere: {
        title: 'This was started in another browser',
        lead: 'Only the browser that began a sign-in can finish it.',
        remedy: 'Go back to the app in this browser and start again. Check that cookies are allowed.',
      },
      returned: {
        title: 'This sign-in cannot be finished here',
        lead: 'It was begun in another browser, took too long, or is finished already. Nothing was changed.',
        remedy: 'Start again from the app or from the front page.',
      },
      forged: {
        title: 'The form could not be accepted',
        lead: 'It was sent from another page or was open for too long.',
        remedy: 'Go back to the app and start again.',
      },
      unavailable: {
        title: 'Back in a moment',
        lead: 'The service cannot answer right now. Nothing was changed.',
        remedy: 'Wait a little, then reload this page.',
      },
      not_found: {
        title: 'There is nothing here',
        lead: 'This page does not exist, or no longer does.',
        remedy: 'Check the address.',
      },
      internal: {
        title: 'Something went wrong on our side',
        lead: 'The request could not be answered. It was noted.',
        remedy: 'Try again. If it happens again, give the trace id to support.',
      },
    },
  },
  /** An app that nobody vouches for, and the address it wanted a person led to. */
  unredirected: {
    kinds: {
      refused: {
        title: 'This request cannot be answered',
        lead: (client: string) => `${client} asked for something that it did not get.`,
      },
      denied: {
        title: 'Access was not given',
        lead: (client: string) => `${client} was not given access to your account.`,
      },
      signedOut: {
        title: 'You are signed out',
        lead: (client: string) => `${client} wants you to come back.`,
      },
    },
    unchecked: (service: string) =>
      `This app registered itself, and you have not allowed it anything here. ${service} has not checked where it leads: go on only if you know this address.`,
    address: 'Its address',
    go: (host: string) => `Go to ${host}`,
  },
  problem: {
    happened: 'What happened',
    why: 'Why',
    remedy: 'What to do',
    source: 'Defined in',
    status: 'HTTP status',
    all: 'All error codes',
    allLead: 'Every error that this service and the APIs it protects can answer with.',
    unknownTitle: 'Unknown error code',
    unknown: 'This service has no error of that name.',
    families: {
      authorize: 'In the browser: the authorization response',
      token: 'Behind the browser: token and other endpoints',
      api: 'At a protected API: problem types',
    },
  },
}
