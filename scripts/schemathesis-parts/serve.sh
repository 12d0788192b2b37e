# For scripts that compare something with a server's document. Source it in the project's folder.

# tools FOLDER REQUIREMENTS: makes a Python environment in FOLDER with the packages of the file REQUIREMENTS.
tools() {
  python3 -c 'import ensurepip' 2>/dev/null || scripts/prerequisites python3-venv
  if ! cmp -s "$2" "$1/installed.txt"; then
    python3 -m venv "$1"
    "$1/bin/pip" install --quiet --requirement "$2"
    cp "$2" "$1/installed.txt"
  fi
}

# serve: builds the program and starts a server that needs no token. Sets `url`, and `folder`, a temporary folder that has
# its document, openapi.json. Both end with the script.
serve() {
  scripts/prerequisites
  swift build --product rowhouse >&2
  local rowhouse
  rowhouse="$(swift build --show-bin-path)/rowhouse"
  folder=$(mktemp -d)
  trap 'kill "$server" 2>/dev/null && wait "$server" || true; rm -rf "$folder"' EXIT
  "$rowhouse" serve --no-auth --db "$folder/rowhouse.sqlite" --listen 127.0.0.1:0 \
    --log "$folder/log" >"$folder/output" &
  server=$!
  for _ in $(seq 100); do
    url=$(grep -o -m 1 'http://127.0.0.1:[0-9]*' "$folder/output" || true)
    [ -n "$url" ] && break
    sleep 0.1
  done
  curl -sf "$url/openapi.json" >"$folder/openapi.json"
}
