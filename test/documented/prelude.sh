# What the lines of every page are given: the programs they name, watched, and a few words for what a reader has already.
set -euo pipefail

grantor() {
  case ${1:-} in
  start | gateway)
    # It stays: the next line is for whoever sees that it is ready.
    local said
    said=$(mktemp -p "$PWD")
    "$NODE" "$COMMAND" "$@" >"$said" 2>&1 &
    local pid=$!
    until grep -q '"event":"ready"' "$said"; do
      kill -0 $pid || { cat "$said"; return 1; }
      sleep 0.1
    done
    ;;
  *) "$NODE" "$COMMAND" "$@" ;;
  esac
}

npx() {
  [ "$1" = grantor ] || { echo "npx $1 is not at hand" >&2; return 1; }
  grantor "${@:2}"
}

# A page that installs something says that it is not run.
npm() { echo 'npm is not run here' >&2; return 1; }

# An answer that is not the one which the page names (2xx where it names none) ends the page.
curl() {
  local body status
  body=$(mktemp -p "$PWD")
  status=$(command curl -sS --output "$body" --write-out '%{http_code}' "$@")
  cat "$body"
  case $status in
  ${EXPECTED:-2??}) ;;
  *) echo "curl $* was answered $status" >&2; return 1 ;;
  esac
}

# The first value of a member in JSON.
member() { "$NODE" -e 'const found = new RegExp(`"${process.argv[1]}": *"([^"]*)"`).exec(require("fs").readFileSync(0, "utf8")); if (!found) process.exit(1); console.log(found[1])' "$1"; }

free_port() { "$NODE" -e 'const it = require("net").createServer().listen(0, () => { console.log(it.address().port); it.close() })'; }

secret_of() { member "$1" <data/demo.json; }

# token CLIENT SECRET SCOPE
token() { curl --cacert data/tls/ca.pem -u "$1:$2" "$ISSUER/token" -d grant_type=client_credentials -d "scope=$3" | member access_token; }

# What stays ends with the page.
trap 'code=$?; kill $(jobs -p) 2>/dev/null || true; wait; exit $code' EXIT
