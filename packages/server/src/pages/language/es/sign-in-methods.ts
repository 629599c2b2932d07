/** Spanish: the account pages of passkeys and second factors. */
import type { methods as english } from '../en/sign-in-methods.ts'

export const methods: typeof english = {
  methods: {
    leadOn:
      'Iniciar sesión con la contraseña requiere un segundo paso: una clave de acceso, un código de su aplicación o un código de recuperación.',
    leadOff:
      'Inicia sesión solo con la contraseña. Añada una clave de acceso o una aplicación para que la contraseña por sí sola no baste.',
    confirmFirst: 'Para cambiar algo aquí, inicie sesión otra vez.',
    confirm: 'Confirmar su identidad',
    passkeys: 'Claves de acceso',
    passkeysLead:
      'Una clave de acceso le permite iniciar sesión con la huella, la cara o un PIN, en este dispositivo o en su teléfono. No se puede entregar en una página falsa.',
    passkeyName: 'Nombre',
    addPasskey: 'Añadir una clave de acceso',
    synced: 'Sincronizada',
    added: 'Añadida',
    used: 'Último uso',
    until: 'Hasta',
    never: 'Todavía no',
    remove: 'Eliminar',
    removeNamed: (name) => `Eliminar ${name}`,
    removeLead:
      'Ya no podrá iniciar sesión con ella. A los navegadores a los que no se preguntaba se les volverá a preguntar.',
    removeLast:
      'Es la última: bastará su contraseña para iniciar sesión y sus códigos de recuperación dejarán de ser válidos.',
    authenticator: 'Aplicación de autenticación',
    authenticatorLead:
      'Una aplicación de su teléfono muestra un código nuevo cada medio minuto. Funciona sin conexión.',
    setUp: 'Configurar una aplicación',
    removeAuthenticator: 'Eliminar la aplicación de autenticación',
    codes: 'Códigos de recuperación',
    codesLead:
      'Para el día en que pierda el teléfono o la clave de acceso. Guárdelos en papel o en un gestor de contraseñas.',
    codesLeft: (left, f) => f.plural(left, { one: 'Queda # código.', other: 'Quedan # códigos.' }),
    newCodes: 'Crear códigos nuevos',
    newCodesLead: 'Los códigos que tiene ahora dejan de funcionar de inmediato.',
    browsers: 'Navegadores a los que no se pregunta',
    browsersLead: 'En estos navegadores basta su contraseña.',
    noBrowsers: 'El segundo paso se pide en todos los navegadores.',
    forget: 'Volver a preguntar',
    forgetNamed: (device) => `Volver a preguntar en ${device}`,
    providers: {
      title: 'Cuentas en otros sitios',
      lead: 'Inicie sesión aquí con una cuenta que tiene en otro sitio.',
      link: (name: string) => `Vincular ${name}`,
      unlink: (name: string) => `Desvincular ${name}`,
      unlinkLead: 'Ya no podrá iniciar sesión aquí con ella.',
    },
    failed: {
      last: 'Es su única forma de iniciar sesión. Primero defina una contraseña o añada una llave de acceso.',
      passkey: 'No se ha podido añadir la clave de acceso. Inténtelo de nuevo.',
      full: 'Tiene el máximo de claves de acceso que admite una cuenta. Elimine primero una.',
      outrun:
        'Esto se ha cambiado desde otra ventana en el mismo momento. Aquí no se ha añadido nada. Compruébelo de nuevo.',
    },
  },
  authenticator: {
    title: 'Configurar una aplicación de autenticación',
    lead: 'Sirve cualquier aplicación de códigos de un solo uso.',
    scan: 'Escanee esto con la aplicación.',
    qr: 'Código QR con el secreto para su aplicación',
    byHand: 'Escribirlo a mano',
    type: 'Escriba el código que muestra ahora la aplicación.',
    otp: 'Código',
    confirm: 'Activar',
    cancel: 'Cancelar',
    wrong: 'Ese código no es correcto. Compruebe que la hora de su teléfono lo sea y escriba el código más reciente.',
  },
  recoveryCodes: {
    title: 'Sus códigos de recuperación',
    lead: 'Sus códigos anteriores ya no funcionan. Cada uno de estos le permite iniciar sesión una vez, junto con su contraseña.',
    leadFirst:
      'A partir de ahora su contraseña necesita un segundo paso. Si lo pierde, cada uno de estos códigos lo sustituye una vez.',
    once: 'Esta página se muestra una sola vez. Anote o guarde los códigos antes de continuar.',
    kept: 'Los he guardado',
    copy: 'Copiar',
    copied: 'Copiado',
    save: 'Descargar',
    print: 'Imprimir',
  },
}
