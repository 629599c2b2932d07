/** What each setting is, in German: the server says it in English, as docs/configuration.md does. `packages/console/test/messages.test.ts` holds the rows to that page. */

export const germanDescriptions: Readonly<Record<string, string>> = {
  config: 'Die Datei der Einstellungen; ohne sie wird `grantor.yaml` im Arbeitsordner gelesen, falls es sie gibt.',
  host: 'Die Adresse, an der gelauscht wird.',
  port: 'Der Port, an dem gelauscht wird.',
  issuer:
    'Der Name des Ausstellers: `https://`, Host und Port, wie Clients sie sehen, danach nichts. Vorgabe: `https://localhost:{port}`.',
  data: 'Der Ordner für die SQLite-Datenbank, den erzeugten Hauptschlüssel und das lokale Zertifikat.',
  'database.url':
    'Eine Adresse `postgres://`; mit ihr liegt alles in PostgreSQL statt in SQLite. Mehrere Server eines Clusters: `postgres://user@a:5432,b:5432/db?target_session_attrs=read-write`.',
  'database.direct_url':
    'Wo `database.url` zu einem Pooler führt: die Adresse an ihm vorbei, für LISTEN und Migrationen.',
  'database.prepared_statements':
    '`off` hinter einem Pooler, der jeder Transaktion eine andere Verbindung gibt (PgBouncer im Modus transaction): Anweisungen bleiben ohne Namen, und für die Sitzung wird nichts gesetzt.',
  'database.schema': 'Das Schema der PostgreSQL-Datenbank mit unseren Tabellen; es wird angelegt, falls es fehlt.',
  'database.timeout':
    'Wie lange PostgreSQL für eine Antwort brauchen oder eine freie Verbindung auf sich warten lassen darf, bevor Anfragen 503 erhalten.',
  'database.pool': 'Wie viele Verbindungen zu PostgreSQL ein Prozess höchstens hält.',
  master_key:
    'Versiegelt private Schlüssel, mindestens 32 Zeichen (`openssl rand -base64 32`). Für SQLite wird er im Datenordner erzeugt, für PostgreSQL ist er nötig.',
  master_key_previous:
    'Ein anderer Hauptschlüssel, solange einer ersetzt wird: Was er versiegelt hat, wird noch geöffnet, neu versiegelt wird mit ihm nichts. `grantor key rewrap` macht ihn überflüssig.',
  new_database:
    'Beginnt eine neue Datenbank, obwohl der Hauptschlüssel schon eine versiegelt hat; ohne das wird eine fehlende Datenbank nicht ersetzt.',
  'tls.mode':
    '`off` spricht einfaches HTTP mit einem vertrauten Proxy. Vorgabe: `on`; `off`, wenn ein vertrauter Proxy genannt und kein Zertifikat gegeben ist.',
  'tls.cert':
    'Die Zertifikatskette (PEM). Ohne sie entstehen eine lokale Zertifizierungsstelle und ein Zertifikat im Datenordner.',
  'tls.key': 'Der private Schlüssel des Zertifikats (PEM).',
  trust_proxy:
    'Adressen oder CIDR-Blöcke der Proxys davor (`loopback` für diesen Rechner); nur ihren Weiterleitungs-Headern wird geglaubt.',
  proxy_header:
    'Welche Header der Proxy schreibt: `X-Forwarded-For` und `-Proto` oder `Forwarded` (RFC 7239). Die anderen zählen nicht, weil ein Proxy weitergibt, was er nicht selbst schreibt.',
  'mtls.port':
    'Der Port, an dem Clients nach Zertifikaten gefragt werden (RFC 8705). Vorgabe: `8445`, oder ein freier, wo dieser belegt ist. Wo das TLS eines Proxys genutzt wird, gibt es keinen.',
  'mtls.url':
    'Wo Clients ihn erreichen, für `mtls_endpoint_aliases`: `https://`, Host und Port. Vorgabe: der Host des Ausstellers mit diesem Port. Hinter einem Proxy: die Adresse, an der er nach Zertifikaten fragt, falls es eine andere ist.',
  'mtls.client_ca':
    'Zertifikate (PEM) der Stellen, mit deren Zertifikaten sich Clients ausweisen dürfen (`tls_client_auth`); jedem in der Datei wird für sich vertraut. Ohne sie wird dieses Verfahren nicht angeboten.',
  'client_cert_header.name':
    'Der Header, mit dem vertraute Proxys das Zertifikat des Clients weitergeben, etwa `Client-Cert`. Aus dem, was Clients senden, müssen sie ihn entfernen; von allen anderen zählt er nicht.',
  'client_cert_header.format':
    'Wie es darin steht: `rfc9440` (`:base64:`), `pem-urlencoded` (nginx: `$ssl_client_escaped_cert`), `xfcc` (`x-forwarded-client-cert` von Envoy).',
  'connections.most': 'Wie viele Verbindungen ein Prozess zugleich hält; weitere werden sofort geschlossen.',
  'connections.per_address':
    'Wie viele davon eine Adresse halten darf (bei IPv6 ein /64); vertraute Proxys werden nicht gezählt.',
  'requests.in_flight':
    'An wie vielen Anfragen einer Art (von Clients, Introspektion, von Personen, der Verwaltung) ein Prozess zugleich arbeitet; eine weitere erhält sofort 503 mit `Retry-After`.',
  workers:
    'Wie viele Prozesse Anfragen bedienen; mehr als einer nur mit PostgreSQL. `auto`: so viele wie Kerne, mit SQLite einer.',
  'management.port': 'Der Port für Zustand und Metriken: einfaches HTTP.',
  'management.host':
    'Die Adresse, an der sie stehen. Wer sie erreicht, liest sie ohne Token: in einem Container mit Netzwerkregeln die Adresse des Containers, sonst so lassen.',
  log: 'Die geringste Stufe, die ins Log kommt (JSON-Zeilen auf stderr); `debug` hat eine Zeile je Anfrage.',
  log_file: 'Die Datei, in die das Log statt auf stderr geht; SIGHUP öffnet sie neu, nachdem sie beiseitegelegt wurde.',
  'tracing.endpoint':
    'Der OpenTelemetry-Collector, an den Traces gehen (OTLP über HTTP; `/v1/traces` wird angehängt). Ohne ihn entstehen keine.',
  'tracing.percent':
    'Wie viele von hundert Traces behalten werden; auch von denen, die ein Aufrufer begonnen hat und selbst behält.',
  seed: 'Eine Datei mit deklarierten Objekten, die bei jedem Start angewandt wird.',
  demo: 'Startet neben dem Server die Demo aus API und Client; nur auf loopback.',
  demo_port: 'Der Port der Demo.',
  demo_mtls_port: 'Der Port, an dem die Demo nach Zertifikaten fragt; ein freier, wo er belegt ist.',
  'lifetime.access_token': 'Wie lange ein Access-Token gilt, wenn seine API nichts anderes sagt.',
  'lifetime.id_token': 'Wie lange ein ID-Token gilt.',
  'lifetime.authorization_code':
    'Wie lange ein Authorization-Code eingelöst werden kann; unter einem FAPI-Profil nie länger als eine Minute.',
  'lifetime.refresh_token': 'Wie lange erneuert werden kann, was jemand erlaubt hat, vom Erlauben an gerechnet.',
  'lifetime.refresh_token_idle': 'Wie lange ein Refresh-Token gilt, das niemand benutzt.',
  'lifetime.refresh_token_retry':
    'Wie lange ein Client, dem die Antwort auf eine Erneuerung verloren ging, mit demselben Token noch einmal fragen darf; danach gilt es als gestohlen.',
  'lifetime.pushed_request':
    'Wie lange ein Browser eine vorab gesendete Autorisierungsanfrage (Pushed Authorization Request) öffnen kann.',
  'lifetime.device_code': 'Wie lange ein Gerät darauf wartet, dass jemand seinen Code eingibt.',
  'lifetime.backchannel_request':
    'Wie lange eine Anfrage über den Backchannel (CIBA) auf ihre Person wartet; ein Client darf weniger verlangen.',
  'lifetime.interaction': 'Wie lange eine Person für die Seiten einer Anmeldung brauchen darf.',
  'lifetime.session': 'Wie lange eine Person insgesamt angemeldet bleibt.',
  'lifetime.session_idle': 'Wie lange eine Person angemeldet bleibt, die hier nichts tut.',
  'backchannel.flow':
    'Ob Clients Personen über den Backchannel (CIBA) fragen dürfen. Aus: Der Endpunkt antwortet 404, kein Client kann diesen Grant haben, und die Kontoseite zeigt keine Anfragen.',
  'backchannel.interval':
    'Wie lange ein Client zwischen zwei Nachfragen zu einer Anfrage über den Backchannel warten muss.',
  'device.flow':
    'Ob Geräte ohne Browser Personen anmelden dürfen (RFC 8628). Aus: Die Endpunkte antworten 404, kein Client kann diesen Grant haben, und `grantor login` geht nicht.',
  'device.interval': 'Wie lange ein Gerät zwischen zwei Nachfragen warten muss.',
  pkce: 'Wer eine PKCE-Challenge senden muss: jeder Client oder nur öffentliche, für die das nie aus ist. Ein Client kann mit eigenem `pkce` deklariert werden.',
  require_pushed_authorization_requests:
    'Ob jeder Client seine Autorisierungsanfragen vorab an `/par` senden muss (RFC 9126). Ein Mandant kann es anders halten, und ein einzelner Client kann damit deklariert werden.',
  assertion_audience:
    'Was Clients, die signieren (`private_key_jwt`), als Audience nennen dürfen: nur den Aussteller (RFC 10070), oder auch die Adresse eines Endpunkts, für ältere Clients.',
  'dpop.nonce':
    'Ob ein DPoP-Nachweis eine Nonce von uns tragen muss (RFC 9449 §8): `required` kostet jeden Client eine Anfrage mehr, und kein Nachweis lässt sich im Voraus anfertigen.',
  leeway: 'Was den Uhren anderer nachgesehen wird; unsere eigenen Tokens verlängert es nie.',
  'key.rotation': 'Wie lange ein Schlüssel signiert, bevor der nächste ihn ablöst.',
  'key.announce': 'Wie lange ein neuer Schlüssel veröffentlicht ist, bevor er signiert.',
  'event.retention': 'Wie lange Ereignisse aufbewahrt werden.',
  'outbound.allow':
    'Hosts (`host` oder `host:port`), bei denen dieser Server Dokumente holen und an die er senden darf, obwohl ihre Adressen privat sind oder ihr Port nicht 443 ist. Alles andere muss öffentlich sein.',
  'outbound.ca':
    'Zertifikate (PEM) von Stellen, denen neben den üblichen geglaubt wird, wenn dieser Server Dokumente holt.',
  'registration.mode':
    'Wer an `/register` einen Client registrieren darf: alle, wer ein Anfangs-Token hat (`grantor registration-token`), oder niemand. Ein Mandant kann es anders halten.',
  'registration.grants':
    'Grant-Typen, die ein Client haben darf, der sich selbst registriert; andere, um die er bittet, fallen weg.',
  'registration.scopes':
    'Scopes, die ein solcher Client haben darf. Vorgabe: die von OpenID Connect und alle deklarierten; Rechte am Aussteller selbst nie.',
  'registration.default_scope': 'Scopes einer Registrierung, die keine nennt. Vorgabe: alle, die sie haben darf.',
  'registration.default_resource': 'Die API, die ein Client meint, der sich selbst registriert hat und keine nennt.',
  'registration.redirects':
    'Wohin ein solcher Client zurückgerufen werden darf: `https`, `loopback`, `private-use` (das Schema einer App).',
  'registration.schemes':
    'Schemata von Apps, die zurückgerufen werden dürfen, obwohl sie kein umgekehrter Domainname sind (RFC 8252 §7.1); solche dürfen es immer. Gilt für jeden Weg, einen Client anzulegen.',
  'registration.most_clients': 'Wie viele Clients eines Mandanten sich selbst registriert haben dürfen.',
  'registration.unused_life': 'Wie lange ein solcher Client bleibt, wenn ihn nie jemand benutzt.',
  'registration.metadata_documents':
    'Ob eine `client_id` die https-Adresse eines Dokuments mit den Metadaten des Clients sein darf.',
  'registration.error_redirects':
    'Wann Fehler, Ablehnungen und Abmeldungen zu Clients weiterleiten, für die niemand bürgt (offen oder durch ein Metadaten-Dokument registriert): nachdem eine Person ihnen in diesem Browser etwas erlaubt hat, oder immer, wie Zertifizierungstests es brauchen. Vorher zeigt eine Seite von uns die Adresse.',
  'limit.registration': 'Registrierungen ohne Anfangs-Token, je Adresse.',
  'limit.registration_updates': 'Änderungen der eigenen Registrierung, je Client.',
  'limit.client_documents': 'Metadaten-Dokumente von Clients, die noch nicht bekannt waren, je Adresse.',
  'limit.request_objects':
    'Autorisierungsanfragen, die an einer Adresse des Clients liegen (`request_uri`), je Adresse und Prozess.',
  'limit.scim': 'Anfragen an den SCIM-Dienst, je Client und Prozess.',
  'limit.ssf': 'Anfragen an die Endpunkte der Shared Signals, je Client und Prozess.',
  'limit.authorize':
    'An `/authorize` begonnene Anmeldungen, je Adresse und Prozess; Passkey-Fragen und Abmeldungen haben je ebenso viele.',
  'limit.token':
    'Anfragen an den Token-Endpunkt, je Client; Introspektion und Widerruf haben je ebenso viele für sich.',
  'limit.token_failures':
    'Fehlgeschlagene Anmeldungen von Clients an diesen Endpunkten, je Client und Adresse (bei IPv6 je /64).',
  'limit.token_failures_address': 'Dasselbe je Adresse, welche Clients auch genannt wurden.',
  'limit.login_account':
    'Fehlgeschlagene Anmeldungen, je Konto, aus allen Browsern, die die Person noch nicht benutzt hat.',
  'limit.login_address': 'Fehlgeschlagene Anmeldungen, je Adresse (bei IPv6 je /64).',
  'limit.login_tenant':
    'Fehlgeschlagene Anmeldungen an allen Konten eines Mandanten zusammen, von welchen Adressen auch immer. Darüber hinaus geht es nur in schon benutzten Browsern ungehindert weiter.',
  'limit.login_browser':
    'Fehlgeschlagene Anmeldungen einer Person in einem Browser, in dem sie schon angemeldet war. Er zählt für sich: Fremde sperren sie dort nicht aus.',
  'limit.second_factor':
    'Falsche Codes einer Authenticator-App, je Konto; Browser, in denen die Person schon einmal einen zweiten Faktor gezeigt hat, haben je ebenso viele.',
  'limit.device_requests': 'Geräte, die eine Anmeldung beginnen, je Adresse.',
  'limit.device':
    'Falsche Codes auf der Geräteseite, je Adresse und Browser; wer angemeldet ist, zählt je Konto, und ein Browser, in dem schon jemand angemeldet war, für sich.',
  'limit.device_tenant':
    'Falsche Codes auf der Geräteseite eines Mandanten von allen Fremden, von welchen Adressen auch immer; und ebenso viele von allen, die angemeldet oder bekannt sind.',
  'limit.backchannel_hint':
    'Anfragen über den Backchannel (CIBA), je Client und Hinweis; auf eine Person warten höchstens fünf.',
  'limit.backchannel_user_code': 'Falsche Benutzercodes in Anfragen über den Backchannel (CIBA), je Hinweis.',
  'limit.reset_account':
    'Gesendete Links für ein neues Passwort, je Konto; Links zum Anmelden und die Prüfung einer Adresse haben je ebenso viele für sich.',
  'limit.reset_address': 'Bitten um ein neues Passwort, je Adresse.',
  'limit.sign_in_link_address': 'Bitten um einen Link zum Anmelden, je Adresse.',
  'password.min_length': 'Wie viele Zeichen ein neues Passwort mindestens hat.',
  'password.breached_list':
    'Eine Datei mit Passwörtern aus bekannten Datenlecks, die niemand wählen darf: SHA-1-Werte, einer je Zeile, sortiert, wie Have I Been Pwned sie veröffentlicht.',
  'sign_up.hook':
    'Die https-Adresse, die mit einer signierten Nachricht gefragt wird, ob sich jemand registrieren darf. Eine private Adresse muss in `outbound.allow` stehen.',
  'sign_up.hook_secret': 'Womit diese Nachrichten signiert werden: `whsec_` und 24 bis 64 zufällige Bytes in Base64.',
  'sign_up.hook_deadline_ms': 'Millisekunden von dieser Frage bis zum letzten Byte der Antwort.',
  'sign_up.hook_on_failure':
    'Was gilt, wenn nicht rechtzeitig eine Antwort kommt: Niemand registriert sich, oder alle dürfen es.',
  'mail.smtp':
    'Der Mailserver: `smtp://user:password@host:587` (STARTTLS) oder `smtps://…` (TLS von Anfang an). Ohne ihn wird nichts gesendet, und was E-Mail braucht, wird nicht angeboten. TLS ist Pflicht, außer bei einem Server auf diesem Rechner.',
  'mail.from': 'Die Adresse, von der E-Mails kommen: `login@example.com` oder `Example <login@example.com>`.',
  'mail.ca': 'Die Zertifizierungsstelle (PEM) des Mailservers, wo sie eine private ist.',
  'theme.name': 'Der Name, den Personen auf unseren Seiten sehen, höchstens 60 Zeichen.',
  'theme.logo': 'Das Logo auf unseren Seiten: eine Datei in SVG, PNG, WebP oder JPEG von höchstens 256 KiB.',
  'theme.accent':
    'Die Farbe von Knöpfen und Links, `"#rrggbb"` (in Anführungszeichen, weil YAML sonst einen Kommentar sähe). Sie muss auf der Seite lesbar sein; mit einer anderen startet der Server nicht.',
  'theme.accent_dark': 'Dasselbe für dunkle Seiten. Vorgabe: die Farbe, aufgehellt, bis sie lesbar ist.',
  'theme.background': 'Die Farbe hinter unseren Seiten.',
  'theme.background_dark': 'Die Farbe hinter dunklen Seiten.',
  'admin.password':
    'Das Passwort des ersten Owners `admin`, wo einer angelegt wird. Vorgabe: ein Passwort für eine Anmeldung, auf dem Terminal gezeigt oder in `first-owner-password` im Datenordner.',
}
