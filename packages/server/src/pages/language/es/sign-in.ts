/** Spanish: the layout of every page, signing in, and getting back in. */
import type { signIn as english } from '../en/sign-in.ts'

export const signIn: typeof english = {
  layout: {
    skip: 'Ir al contenido',
    languages: 'Idioma',
    signIn: (service) => `Iniciar sesión en ${service}`,
    errorSummary: 'Algo no ha funcionado',
    errorTitle: (title) => `Error: ${title}`,
    pageTitle: (page, service) => `${page} · ${service}`,
  },
  login: {
    show: 'Mostrar',
    title: 'Iniciar sesión',
    to: (client) => `para continuar a ${client}`,
    toService: (service) => `para continuar a ${service}`,
    again: 'Inicie sesión de nuevo para confirmar su identidad.',
    username: 'Nombre de usuario',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    forgot: '¿Ha olvidado la contraseña?',
    rejected: 'El nombre de usuario y la contraseña no coinciden.',
    throttled: (wait) => `Demasiados intentos. Inténtelo de nuevo en ${wait}.`,
    expired: 'Esta página ha estado abierta demasiado tiempo. Inicie sesión otra vez.',
    providers: {
      with: (name: string) => `Continuar con ${name}`,
      problems: {
        cancelled: (name: string) => `No ha iniciado sesión con ${name}.`,
        unavailable: (name: string) =>
          `${name} no está disponible en este momento. Inténtelo más tarde o inicie sesión de otra forma.`,
        refused: (name: string) =>
          `No se pudo aceptar la respuesta de ${name}. Inténtelo de nuevo o inicie sesión de otra forma.`,
        stale: (name: string) =>
          `${name} no le pidió que iniciara sesión de nuevo. Cierre sesión allí primero o inicie sesión de otra forma.`,
        unlinked: (name: string) =>
          `Nadie aquí está vinculado a esa cuenta de ${name}. Si tiene una cuenta aquí, inicie sesión de otra forma y vincule ${name} en sus formas de iniciar sesión.`,
        another: (name: string) =>
          `Su cuenta de aquí está vinculada a otra cuenta de ${name}. Inicie sesión de otra forma o pregunte a quien gestiona este servicio.`,
        disabled: (name: string) =>
          `Aquí no puede iniciar sesión con ${name}. Pregunte a quien gestiona este servicio.`,
        taken: (name: string) => `Esa cuenta de ${name} está vinculada aquí a otra persona.`,
        gone: (_name: string) => 'Esta forma de iniciar sesión ya no se ofrece.',
      },
    },
  },
  passkey: {
    or: 'o',
    use: 'Iniciar sesión con una clave de acceso',
    failed: 'No se ha usado ninguna clave de acceso. Inténtelo de nuevo o continúe de otra forma.',
    unsupported: 'Este navegador no admite claves de acceso.',
    noScript: 'Las claves de acceso necesitan JavaScript, que está desactivado en este navegador.',
  },
  secondFactor: {
    title: 'Un paso más',
    lead: (username) => `Confirme que es usted, ${username}.`,
    otp: 'Código de su aplicación de autenticación',
    otpHint: 'Seis dígitos. Se envían en cuanto estén todos.',
    remember: (time) => `No preguntar en este navegador durante ${time}`,
    submit: 'Iniciar sesión',
    passkeyOnly: 'La aplicación exige un inicio de sesión que solo permite una clave de acceso.',
    recover: 'Usar un código de recuperación',
    recoveryCode: 'Código de recuperación',
    recoveryHint: (left, f) =>
      f.plural(left, {
        one: 'Cada código sirve una sola vez. Le queda #.',
        other: 'Cada código sirve una sola vez. Le quedan #.',
      }),
    startOver: 'Iniciar sesión de otra forma',
    rejected: 'No es correcto o ya se ha usado.',
    throttled: (wait) => `Demasiados intentos. Inténtelo de nuevo en ${wait}.`,
  },
  newPassword: {
    title: 'Elija su propia contraseña',
    lead: (username) => `para la cuenta ${username}`,
    why: 'Ha iniciado sesión con una contraseña creada para usted. A partir de ahora solo funcionará la nueva.',
    submit: 'Establecer la contraseña y continuar',
  },
  choose: {
    title: 'Elija una cuenta',
    to: (client) => `para continuar a ${client}`,
    signedOut: 'Sesión cerrada',
    another: 'Usar otra cuenta',
  },
  forgot: {
    title: '¿Ha olvidado la contraseña?',
    lead: 'Díganos quién es y le enviaremos un enlace para elegir una nueva.',
    named: 'Nombre de usuario o correo electrónico',
    submit: 'Enviar el enlace',
    throttled: (wait) => `Demasiadas solicitudes. Inténtelo de nuevo en ${wait}.`,
    sentTitle: 'Revise su correo',
    sent: 'Si existe una cuenta con ese nombre y una dirección de correo, le hemos enviado un enlace. Es válido durante 30 minutos.',
    sentHint: '¿No ha llegado nada? Mire en el correo no deseado o pregunte a quien gestiona este servicio.',
    back: 'Volver al inicio de sesión',
  },
  reset: {
    title: 'Elija una contraseña nueva',
    lead: (username) => `para la cuenta ${username}`,
    endsAll: 'Se cerrará la sesión en todas partes y después deberá iniciarla con la contraseña nueva.',
    submit: 'Establecer la contraseña',
    doneTitle: 'Su contraseña se ha cambiado',
    done: 'Inicie sesión con la nueva. Si usa un segundo factor, se le pedirá como siempre.',
    signIn: 'Iniciar sesión',
    goneTitle: 'Este enlace ya no es válido',
    gone: 'Ya se ha usado, es demasiado antiguo o se ha enviado otro más reciente. Además, debe abrirse en el navegador en el que termine.',
    again: 'Pedir un enlace nuevo',
  },
}
