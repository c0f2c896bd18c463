#!/bin/sh
# Asks where to deploy, waits for a person, and continues. Needs only curl.
set -eu

call() { # call PATH [BODY]
  curl --silent --show-error --fail-with-body "$HOLDPOINT_URL/v1/$1" ${2:+--json "$2"} \
    --header "Authorization: Bearer $HOLDPOINT_AGENT_KEY"
}
text() { # text NAME: the first of that name in the JSON it reads
  grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4
}

thread=$(call threads '{ "title": "Releases" }' | text id)
question=$(call "threads/$thread/interactions" '{
  "title": "Deploy 4.2 where?",
  "options": ["staging", "production"]
}' | text id)

# One call waits for at most a minute, so the script repeats it.
echo "waiting for an answer to $question"
status=pending
while [ "$status" = pending ]; do
  answer=$(call "interactions/$question/wait")
  status=$(echo "$answer" | text status)
done

choice=$(echo "$answer" | text choice)
if [ -n "$choice" ]; then echo "deploying to $choice"; else echo "not deploying"; fi
