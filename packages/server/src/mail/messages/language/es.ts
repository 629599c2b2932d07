/** Spanish. */
import type { MailMessages } from './en.ts'

const wasNotYou =
  'Si no ha sido usted, cambie ahora su contraseña y cierre todas las sesiones que no reconozca. Puede hacer ambas cosas en la página de su cuenta.'

export const es: MailMessages = {
  account: 'Cuenta',
  app: 'Aplicación',
  message: 'Mensaje',
  when: 'Cuándo',
  device: 'Dispositivo',
  address: 'Dirección',
  unknownDevice: 'Desconocido',
  unknownAddress: 'Desconocida',
  labelled: (label, value) => `${label}: ${value}`,
  orOpen: 'O abra esta dirección:',
  yourAccount: 'Su cuenta',
  footer: (service) =>
    `Recibe este correo porque tiene una cuenta en ${service}. Las respuestas a este mensaje no se leen.`,
  strangerFooter: (service) =>
    `Recibe este correo porque esta dirección se indicó en ${service}. Las respuestas a este mensaje no se leen.`,
  kinds: {
    reset: {
      subject: ({ service }) => `Elija una contraseña nueva para ${service}`,
      title: 'Elija una contraseña nueva',
      lead: ({ service }) => `Alguien, probablemente usted, ha pedido una contraseña nueva en ${service}.`,
      button: 'Elegir una contraseña nueva',
      linkNote: 'El enlace sirve una sola vez, durante 30 minutos. Uno más reciente lo sustituye.',
      notYou: 'Si no la ha pedido, no haga nada: su contraseña sigue igual. No comparta nunca el enlace.',
    },
    sign_in_link: {
      subject: ({ service }) => `Inicie sesión en ${service}`,
      title: 'Iniciar sesión',
      lead: ({ service }) => `Alguien, probablemente usted, pidió un enlace para iniciar sesión en ${service}.`,
      button: 'Iniciar sesión',
      linkNote: 'El enlace sirve una sola vez, durante 10 minutos, en el navegador en el que se pidió.',
      notYou: 'Si no lo pidió, no haga nada: nadie inicia sesión. Nunca reenvíe el enlace.',
    },
    sign_up: {
      subject: ({ service }) => `Cree su cuenta en ${service}`,
      title: 'Cree su cuenta',
      lead: ({ service }) => `Alguien, probablemente usted, ha pedido una cuenta en ${service} con esta dirección.`,
      button: 'Crear la cuenta',
      linkNote: 'El enlace sirve una sola vez, durante 24 horas. Uno más reciente lo sustituye.',
      notYou: 'Si no lo ha pedido, no haga nada: no se crea ninguna cuenta. No reenvíe nunca el enlace.',
    },
    account_exists: {
      subject: ({ service }) => `Ya tiene una cuenta en ${service}`,
      title: 'Ya tiene una cuenta',
      lead: ({ service }) =>
        `Alguien, probablemente usted, ha pedido una cuenta en ${service} con esta dirección. Ya existe una. Si ha olvidado la contraseña, puede elegir otra en la página de inicio de sesión.`,
      button: 'Iniciar sesión',
      notYou: 'Si no lo ha pedido, no haga nada: su cuenta queda como está.',
    },
    invitation: {
      subject: ({ service }) => `Tiene una invitación a ${service}`,
      title: 'Tiene una invitación',
      lead: ({ service }) =>
        `Tiene una invitación para una cuenta en ${service}. Elija un nombre y una contraseña, y será suya.`,
      button: 'Aceptar la invitación',
      linkNote: 'El enlace sirve una sola vez y solo para esta dirección.',
      notYou: 'Si no sabe de qué se trata, no haga nada: no se crea ninguna cuenta. No reenvíe nunca el enlace.',
    },
    deletion_requested: {
      subject: ({ service }) => `Su cuenta en ${service} se eliminará`,
      title: 'Su cuenta se eliminará',
      lead: ({ service }) =>
        `Su cuenta en ${service} se ha cerrado y se eliminará para siempre. Para conservarla, inicie sesión antes.`,
      notYou: 'Si no ha sido usted, inicie sesión ahora para conservar la cuenta y cambie la contraseña.',
    },
    deletion_cancelled: {
      subject: ({ service }) => `Su cuenta en ${service} se conserva`,
      title: 'Su cuenta se conserva',
      lead: ({ service }) =>
        `Alguien ha iniciado sesión en su cuenta de ${service}, que iba a eliminarse. Se conserva.`,
      notYou: wasNotYou,
    },
    address: {
      subject: ({ service }) => `Confirme su dirección para ${service}`,
      title: 'Confirme su dirección',
      lead: ({ service }) =>
        `Esta dirección se ha indicado para una cuenta en ${service}. Confírmela si la cuenta es suya.`,
      button: 'Confirmar la dirección',
      linkNote: 'El enlace sirve una sola vez, durante 24 horas, y le pide que inicie sesión en esa cuenta.',
      notYou: 'Si la cuenta no es suya, no haga nada: la dirección no se usará.',
    },
    address_changed: {
      subject: ({ service }) => `Su dirección en ${service} se ha cambiado`,
      title: 'Su dirección se ha cambiado',
      lead: ({ service }) =>
        `Se ha confirmado otra dirección para su cuenta en ${service}. A partir de ahora el correo llega allí y ya no aquí.`,
      notYou: wasNotYou,
    },
    password_changed: {
      subject: ({ service }) => `Su contraseña en ${service} se ha cambiado`,
      title: 'Su contraseña se ha cambiado',
      lead: ({ service }) =>
        `La contraseña de su cuenta en ${service} se ha cambiado y las demás sesiones se han cerrado.`,
      notYou:
        'Si no ha sido usted, pida ahora una contraseña nueva en la página de inicio de sesión y avise a quienes gestionan este servicio.',
    },
    signed_in: {
      subject: ({ service }) => `Nuevo inicio de sesión en ${service}`,
      title: 'Nuevo inicio de sesión',
      lead: ({ service }) => `Se ha iniciado sesión en su cuenta de ${service} desde un navegador que no conocía.`,
      notYou: wasNotYou,
    },
    app_connected: {
      subject: ({ client, service }) => `${client} se ha conectado a su cuenta de ${service}`,
      title: 'Se ha conectado una aplicación',
      lead: ({ client, service }) =>
        `Ha permitido a ${client} actuar en su nombre en ${service}. En la página de su cuenta puede ver lo que tiene permitido y retirarlo.`,
      notYou: 'Si no ha sido usted, retire ahora la aplicación en la página de su cuenta y cambie la contraseña.',
    },
    access_requested: {
      subject: ({ client, service }) => `${client} solicita acceso en ${service}`,
      title: 'Una aplicación solicita acceso',
      lead: ({ client, service }) =>
        `${client} solicita actuar en su nombre en ${service}. Vea lo que pide en la página de su cuenta y permítalo o deniéguelo allí.`,
      button: 'Ver la solicitud',
      linkNote: 'La solicitud solo espera unos minutos.',
      notYou:
        'Si no lo ha iniciado usted, deniéguelo o no haga nada: sin usted no se permite nada. Nadie que le llame o le escriba debería pedirle que lo permita.',
    },
    factor_added: {
      subject: ({ service }) => `Se ha añadido una forma de iniciar sesión en ${service}`,
      title: 'Se ha añadido una forma de iniciar sesión',
      lead: ({ service }) => `Ahora se puede iniciar sesión de otra forma en su cuenta de ${service}.`,
      notYou: wasNotYou,
    },
    factor_removed: {
      subject: ({ service }) => `Se ha eliminado una forma de iniciar sesión en ${service}`,
      title: 'Se ha eliminado una forma de iniciar sesión',
      lead: ({ service }) => `Se ha eliminado una forma de iniciar sesión en su cuenta de ${service}.`,
      notYou: wasNotYou,
    },
    recovery_code_used: {
      subject: ({ service }) => `Se ha usado un código de recuperación en ${service}`,
      title: 'Se ha usado un código de recuperación',
      lead: ({ service }) =>
        `Alguien ha iniciado sesión en su cuenta de ${service} con uno de sus códigos de recuperación. Ese código ya no sirve.`,
      notYou: wasNotYou,
    },
    test: {
      subject: ({ service }) => `Correo de prueba de ${service}`,
      title: 'Funciona',
      lead: ({ service }) => `${service} puede enviar correo. Alguien que lo gestiona ha pedido este mensaje.`,
      notYou: 'No tiene que hacer nada.',
    },
  },
}
