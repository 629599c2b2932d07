/** Spanish: signing out, and what went wrong. */
import type { logoutAndErrors as english } from '../en/logout-and-errors.ts'

export const logoutAndErrors: typeof english = {
  landing: {
    title: 'Servicio de autorización',
    lead: 'Aquí las personas inician sesión y deciden qué aplicaciones pueden hacer qué en su nombre.',
    account: { title: 'Su cuenta', lead: 'Aplicaciones con acceso, sesiones y formas de iniciar sesión.' },
    console: { title: 'Consola', lead: 'Clientes, personas, accesos y claves, para administradores.' },
    discovery: {
      title: 'Documento de descubrimiento',
      lead: 'Donde los clientes y las API encuentran todos los puntos de conexión de este emisor.',
    },
    problems: { title: 'Códigos de error', lead: 'Qué significa cada error y qué hacer al respecto.' },
    tryIt: 'Pruébelo',
    steps: {
      token: 'Obtener un token, en un terminal',
      call: 'Llamar con él a la API Orders',
      revoke: 'Revocarlo; la misma llamada se rechaza entonces',
      trust: 'Hacer que los navegadores de este equipo confíen en su certificado; lo mismo con --remove lo deshace',
      browser: 'Iniciar sesión con un navegador, como alice con la contraseña alice',
      terminal: 'Iniciar sesión desde un terminal, con un código',
    },
  },
  logout: {
    title: '¿Cerrar sesión?',
    asked: (client) => `${client} solicita cerrar su sesión.`,
    lead: (service) => `Se cerrará su sesión de ${service} en este navegador.`,
    confirm: 'Cerrar sesión',
    stay: 'Seguir con la sesión iniciada',
    doneTitle: 'Ha cerrado la sesión',
    done: (service) => `Ya no tiene la sesión iniciada en ${service} en este navegador.`,
    back: (client) => `Volver a ${client}`,
    signInAgain: 'Iniciar sesión de nuevo',
    framesTitle: 'Ha cerrado la sesión',
    frames: 'Se está avisando a las aplicaciones que ha usado. Tardará un momento.',
    frame: (host) => `Cierre de sesión en ${host}`,
    onward: 'Continuar',
  },
  error: {
    trace: 'Identificador de seguimiento',
    traceHint: 'Indíquelo al servicio de soporte. No revela nada sobre usted.',
    code: 'Código de error',
    home: 'Ir a la página principal',
    kinds: {
      request: {
        title: 'No se puede responder a esta solicitud',
        lead: 'La aplicación que le ha traído aquí ha hecho una solicitud que no es válida.',
        remedy: 'Vuelva a la aplicación e inténtelo de nuevo. Si vuelve a ocurrir, avise a sus responsables.',
      },
      client: {
        title: 'No conocemos esta aplicación',
        lead: 'La aplicación que le ha traído aquí no está registrada en este servicio.',
        remedy: 'Para protegerle, no le hemos enviado nada. Avise a los responsables de la aplicación.',
      },
      missing: {
        title: 'La solicitud de la aplicación está incompleta',
        lead: 'La aplicación que le ha traído aquí ha omitido algo necesario: quién es o adónde debe enviarse la respuesta.',
        remedy: 'Vuelva a la aplicación e inténtelo de nuevo. Si vuelve a ocurrir, avise a sus responsables.',
      },
      redirect: {
        title: 'La dirección de retorno de la aplicación no está registrada',
        lead: 'Conocemos la aplicación que le ha traído aquí, pero no la dirección a la que quiere que se envíe la respuesta.',
        remedy:
          'Para protegerle, no hemos enviado nada allí. Avise a los responsables de la aplicación: su redirect_uri debe estar registrado exactamente como se envía.',
      },
      expired: {
        title: 'Ha pasado demasiado tiempo',
        lead: 'La solicitud ya no es válida o ya se ha respondido.',
        remedy: 'Vuelva a la aplicación y empiece de nuevo.',
      },
      elsewhere: {
        title: 'Esto se inició en otro navegador',
        lead: 'Solo el navegador que inició la sesión puede terminar de hacerlo.',
        remedy:
          'Vuelva a la aplicación en este navegador y empiece de nuevo. Compruebe que las cookies estén permitidas.',
      },
      returned: {
        title: 'Este inicio de sesión no se puede terminar aquí',
        lead: 'Se inició en otro navegador, tardó demasiado o ya terminó. No se ha cambiado nada.',
        remedy: 'Empiece de nuevo desde la aplicación o desde la página principal.',
      },
      forged: {
        title: 'No se ha podido aceptar el formulario',
        lead: 'Se envió desde otra página o estuvo abierto demasiado tiempo.',
        remedy: 'Vuelva a la aplicación y empiece de nuevo.',
      },
      unavailable: {
        title: 'Volvemos en un momento',
        lead: 'El servicio no puede responder ahora mismo. No se ha cambiado nada.',
        remedy: 'Espere un poco y vuelva a cargar esta página.',
      },
      not_found: {
        title: 'Aquí no hay nada',
        lead: 'Esta página no existe o ha dejado de existir.',
        remedy: 'Compruebe la dirección.',
      },
      internal: {
        title: 'Algo ha fallado por nuestra parte',
        lead: 'No se ha podido responder a la solicitud. Ha quedado registrado.',
        remedy: 'Inténtelo de nuevo. Si vuelve a ocurrir, indique el identificador de seguimiento al soporte.',
      },
    },
  },
  unredirected: {
    kinds: {
      refused: {
        title: 'No se puede responder a esta solicitud',
        lead: (client) => `${client} ha pedido algo que no se le ha concedido.`,
      },
      denied: {
        title: 'No se ha concedido el acceso',
        lead: (client) => `${client} no ha recibido acceso a su cuenta.`,
      },
      signedOut: {
        title: 'Ha cerrado la sesión',
        lead: (client) => `${client} quiere que vuelva.`,
      },
    },
    unchecked: (service) =>
      `Esta aplicación se registró a sí misma y usted no le ha permitido nada aquí. ${service} no ha comprobado adónde conduce: continúe solo si conoce esta dirección.`,
    address: 'Su dirección',
    go: (host) => `Ir a ${host}`,
  },
  problem: {
    happened: 'Qué ha ocurrido',
    why: 'Por qué',
    remedy: 'Qué hacer',
    source: 'Definido en',
    status: 'Estado HTTP',
    all: 'Todos los códigos de error',
    allLead: 'Todos los errores con los que pueden responder este servicio y las API que protege.',
    unknownTitle: 'Código de error desconocido',
    unknown: 'Este servicio no tiene ningún error con ese nombre.',
    families: {
      authorize: 'En el navegador: la respuesta de autorización',
      token: 'Fuera del navegador: tokens y otros puntos de conexión',
      api: 'En una API protegida: tipos de problema',
    },
  },
}
