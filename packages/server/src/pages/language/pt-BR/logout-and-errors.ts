/** Brazilian Portuguese: signing out, and what went wrong. */
import type { logoutAndErrors as english } from '../en/logout-and-errors.ts'

export const logoutAndErrors: typeof english = {
  landing: {
    title: 'Serviço de autorização',
    lead: 'Aqui as pessoas fazem login e decidem quais apps podem fazer o quê em nome delas.',
    account: { title: 'Sua conta', lead: 'Apps com acesso, sessões e como você faz login.' },
    console: { title: 'Console', lead: 'Clientes, pessoas, acessos e chaves, para administradores.' },
    discovery: {
      title: 'Documento de descoberta',
      lead: 'Onde clientes e APIs encontram todos os endpoints deste emissor.',
    },
    problems: { title: 'Códigos de erro', lead: 'O que cada erro significa e o que fazer.' },
    tryIt: 'Experimente',
    steps: {
      token: 'Obter um token, em um terminal',
      call: 'Chamar a API Orders com ele',
      revoke: 'Revogá-lo; a mesma chamada passa a ser recusada',
      trust: 'Fazer com que os navegadores deste computador confiem no certificado dele; o mesmo com --remove desfaz',
      browser: 'Fazer login com um navegador, como alice com a senha alice',
      terminal: 'Fazer login em um terminal, com um código',
    },
  },
  logout: {
    title: 'Sair?',
    asked: (client) => `${client} pede para desconectar você.`,
    lead: (service) => `Você será desconectado de ${service} neste navegador.`,
    confirm: 'Sair',
    stay: 'Continuar conectado',
    doneTitle: 'Você saiu',
    done: (service) => `Você não está mais conectado a ${service} neste navegador.`,
    back: (client) => `Voltar para ${client}`,
    signInAgain: 'Fazer login novamente',
    framesTitle: 'Você saiu',
    frames: 'Avisando os apps que você usou. Isso leva um instante.',
    frame: (host) => `Saída de ${host}`,
    onward: 'Continuar',
  },
  error: {
    trace: 'ID de rastreamento',
    traceHint: 'Informe-o ao suporte. Ele não diz nada sobre você.',
    code: 'Código de erro',
    home: 'Ir para a página inicial',
    kinds: {
      request: {
        title: 'Não é possível responder a este pedido',
        lead: 'O app que trouxe você até aqui fez um pedido que não é válido.',
        remedy: 'Volte ao app e tente novamente. Se acontecer de novo, avise quem o administra.',
      },
      client: {
        title: 'Não conhecemos este app',
        lead: 'O app que trouxe você até aqui não está registrado neste serviço.',
        remedy: 'Para proteger você, não enviamos nada a ele. Avise quem administra o app.',
      },
      missing: {
        title: 'O pedido do app está incompleto',
        lead: 'O app que trouxe você até aqui deixou de informar algo necessário: quem ele é ou para onde a resposta deve ir.',
        remedy: 'Volte ao app e tente novamente. Se acontecer de novo, avise quem o administra.',
      },
      redirect: {
        title: 'O endereço de retorno do app não está registrado',
        lead: 'Conhecemos o app que trouxe você até aqui, mas não o endereço para onde ele quer a resposta.',
        remedy:
          'Para proteger você, não enviamos nada para lá. Avise quem administra o app: o redirect_uri dele precisa estar registrado exatamente como é enviado.',
      },
      expired: {
        title: 'Isto demorou demais',
        lead: 'O pedido não é mais válido ou já foi respondido.',
        remedy: 'Volte ao app e comece de novo.',
      },
      elsewhere: {
        title: 'Isto foi iniciado em outro navegador',
        lead: 'Só o navegador que iniciou um login pode concluí-lo.',
        remedy: 'Volte ao app neste navegador e comece de novo. Verifique se os cookies estão permitidos.',
      },
      returned: {
        title: 'Este acesso não pode ser concluído aqui',
        lead: 'Ele foi iniciado em outro navegador, demorou demais ou já foi concluído. Nada foi alterado.',
        remedy: 'Comece de novo pelo aplicativo ou pela página inicial.',
      },
      forged: {
        title: 'O formulário não pôde ser aceito',
        lead: 'Ele foi enviado de outra página ou ficou aberto por muito tempo.',
        remedy: 'Volte ao app e comece de novo.',
      },
      unavailable: {
        title: 'Voltamos em um instante',
        lead: 'O serviço não pode responder agora. Nada foi alterado.',
        remedy: 'Espere um pouco e recarregue esta página.',
      },
      not_found: {
        title: 'Não há nada aqui',
        lead: 'Esta página não existe ou deixou de existir.',
        remedy: 'Confira o endereço.',
      },
      internal: {
        title: 'Algo deu errado do nosso lado',
        lead: 'Não foi possível responder ao pedido. O ocorrido foi registrado.',
        remedy: 'Tente novamente. Se acontecer de novo, informe o ID de rastreamento ao suporte.',
      },
    },
  },
  unredirected: {
    kinds: {
      refused: {
        title: 'Não é possível responder a este pedido',
        lead: (client) => `${client} pediu algo que não recebeu.`,
      },
      denied: {
        title: 'O acesso não foi concedido',
        lead: (client) => `${client} não recebeu acesso à sua conta.`,
      },
      signedOut: {
        title: 'Você saiu',
        lead: (client) => `${client} quer que você volte.`,
      },
    },
    unchecked: (service) =>
      `Este app se registrou por conta própria, e você não permitiu nada a ele aqui. ${service} não verificou para onde ele leva: continue somente se você conhece este endereço.`,
    address: 'O endereço dele',
    go: (host) => `Ir para ${host}`,
  },
  problem: {
    happened: 'O que aconteceu',
    why: 'Por quê',
    remedy: 'O que fazer',
    source: 'Definido em',
    status: 'Status HTTP',
    all: 'Todos os códigos de erro',
    allLead: 'Todos os erros com que este serviço e as APIs que ele protege podem responder.',
    unknownTitle: 'Código de erro desconhecido',
    unknown: 'Este serviço não tem um erro com esse nome.',
    families: {
      authorize: 'No navegador: a resposta de autorização',
      token: 'Fora do navegador: tokens e outros endpoints',
      api: 'Em uma API protegida: tipos de problema',
    },
  },
}
