/** Spanish: making an account, agreeing to terms, the profile, and the end of an account. */
import type { accounts as english } from '../en/accounts.ts'

export const accounts: typeof english = {
  signUp: {
    link: 'Crear una cuenta',
    title: 'Crear una cuenta',
    lead: 'Enviamos un enlace a su dirección de correo. La cuenta se crea cuando usted lo abre.',
    email: 'Dirección de correo',
    submit: 'Enviar el enlace',
    domain: 'Aquí las cuentas son solo para direcciones de ciertas organizaciones.',
    sent: 'Hemos enviado un correo a esa dirección. El enlace que contiene sirve una sola vez, durante 24 horas.',
    sentHint: '¿No ha llegado nada? Mire en el correo no deseado o revise cómo escribió la dirección.',
  },
  newAccount: {
    title: 'Su nueva cuenta',
    lead: (email) => `para ${email}`,
    name: 'Su nombre',
    submit: 'Crear la cuenta',
    unreadable: 'Escriba un nombre legible de 200 caracteres como máximo.',
    gone: 'Ya se ha usado, es demasiado antiguo o se ha enviado otro más reciente. Si ya tiene una cuenta, inicie sesión.',
  },
  terms: {
    title: 'Condiciones de uso',
    lead: 'Para continuar, lea las condiciones de uso y acéptelas.',
    read: (version) => `Leer las condiciones de uso, versión ${version}`,
    agree: 'Acepto las condiciones de uso',
    submit: 'Aceptar y continuar',
    required: 'Para continuar debe aceptar las condiciones de uso.',
  },
  profile: {
    lead: 'Lo que las aplicaciones pueden saber de usted cuando lo permite.',
    given: 'Nombre',
    family: 'Apellidos',
    locale: 'Idioma',
    zone: 'Zona horaria',
    picture: 'Imagen',
    pictureHint: 'Una dirección https.',
    submit: 'Guardar',
    invalid: 'Así no se puede guardar.',
  },
  ownData: {
    lead: 'Lo que se guarda sobre usted, y cómo ponerle fin.',
    downloadTitle: 'Descargar sus datos',
    downloadLead: 'Todo lo que se guarda sobre usted, en un archivo JSON. No contiene contraseñas ni claves.',
    download: 'Descargar',
    deleteTitle: 'Eliminar su cuenta',
    deleteLead: (date) =>
      `Se cierra su sesión en todas partes de inmediato y todas las aplicaciones pierden el acceso. Hasta el ${date} puede volver iniciando sesión. Después, su cuenta y todo lo que se guarda sobre usted se eliminan para siempre.`,
    submit: 'Eliminar mi cuenta',
    stale: 'Inició sesión hace demasiado tiempo para esto. Cierre la sesión, iníciela de nuevo y vuelva aquí.',
    lastOwner: 'Usted es el último propietario aquí. Nombre antes a otro propietario.',
    deletedTitle: 'Su cuenta se eliminará',
    deleted: (date) => `Se eliminará para siempre el ${date}. Para conservarla, inicie sesión antes.`,
  },
}
