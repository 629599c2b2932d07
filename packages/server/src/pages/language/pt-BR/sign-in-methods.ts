/** Brazilian Portuguese: the account pages of passkeys and second factors. */
import type { methods as english } from '../en/sign-in-methods.ts'

export const methods: typeof english = {
  methods: {
    leadOn:
      'O login com senha exige uma segunda etapa: uma chave de acesso, um código do seu app ou um código de recuperação.',
    leadOff:
      'Você faz login só com a senha. Adicione uma chave de acesso ou um app para que a senha sozinha não baste.',
    confirmFirst: 'Para alterar algo aqui, faça login mais uma vez.',
    confirm: 'Confirmar que é você',
    passkeys: 'Chaves de acesso',
    passkeysLead:
      'Com uma chave de acesso, você faz login com impressão digital, rosto ou PIN, neste dispositivo ou no celular. Ela não pode ser entregue a uma página falsa.',
    passkeyName: 'Nome',
    addPasskey: 'Adicionar uma chave de acesso',
    synced: 'Sincronizada',
    added: 'Adicionada',
    used: 'Último uso',
    until: 'Até',
    never: 'Ainda não',
    remove: 'Remover',
    removeNamed: (name) => `Remover ${name}`,
    removeLead:
      'Você não poderá mais fazer login com ela. Os navegadores que estavam dispensados voltarão a pedir a segunda etapa.',
    removeLast: 'É a última: sua senha bastará para o login, e seus códigos de recuperação deixarão de valer.',
    authenticator: 'App autenticador',
    authenticatorLead: 'Um app no celular mostra um novo código a cada meio minuto. Funciona sem internet.',
    setUp: 'Configurar um app',
    removeAuthenticator: 'Remover o app autenticador',
    codes: 'Códigos de recuperação',
    codesLead:
      'Para o dia em que você perder o celular ou a chave de acesso. Guarde-os em papel ou em um gerenciador de senhas.',
    codesLeft: (left, f) => f.plural(left, { one: 'Resta # código.', other: 'Restam # códigos.' }),
    newCodes: 'Gerar novos códigos',
    newCodesLead: 'Os códigos que você tem agora param de funcionar imediatamente.',
    browsers: 'Navegadores dispensados',
    browsersLead: 'Nestes navegadores, sua senha basta.',
    noBrowsers: 'A segunda etapa é pedida em todos os navegadores.',
    forget: 'Perguntar de novo',
    forgetNamed: (device) => `Perguntar de novo em ${device}`,
    providers: {
      title: 'Contas em outros lugares',
      lead: 'Entre aqui com uma conta que você tem em outro lugar.',
      link: (name: string) => `Vincular ${name}`,
      unlink: (name: string) => `Desvincular ${name}`,
      unlinkLead: 'Você não poderá mais entrar aqui com ela.',
    },
    failed: {
      last: 'É a sua única forma de entrar. Primeiro defina uma senha ou adicione uma chave de acesso.',
      passkey: 'Não foi possível adicionar a chave de acesso. Tente novamente.',
      full: 'Você tem o máximo de chaves de acesso que uma conta pode ter. Remova uma primeiro.',
      outrun: 'Isto foi alterado em outra janela no mesmo instante. Nada foi adicionado aqui. Confira novamente.',
    },
  },
  authenticator: {
    title: 'Configurar um app autenticador',
    lead: 'Qualquer app de códigos de uso único serve.',
    scan: 'Escaneie isto com o app.',
    qr: 'Código QR com o segredo para o seu app',
    byHand: 'Digitar manualmente',
    type: 'Digite o código que o app mostra agora.',
    otp: 'Código',
    confirm: 'Ativar',
    cancel: 'Cancelar',
    wrong: 'Esse código não está correto. Verifique se o relógio do celular está certo e digite o código mais recente.',
  },
  recoveryCodes: {
    title: 'Seus códigos de recuperação',
    lead: 'Seus códigos antigos não funcionam mais. Cada um destes permite um login, junto com a sua senha.',
    leadFirst:
      'A partir de agora, sua senha precisa de uma segunda etapa. Se você perder esse meio, cada um destes códigos o substitui uma vez.',
    once: 'Esta página é mostrada uma única vez. Anote ou salve os códigos antes de continuar.',
    kept: 'Já os guardei',
    copy: 'Copiar',
    copied: 'Copiado',
    save: 'Baixar',
    print: 'Imprimir',
  },
}
