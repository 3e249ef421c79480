/**
 * The script of the container `git`: clones the branch with the token in an authorization header, never in the address
 * or on a command line, and checks out the commit. Reads GIT_TOKEN, REPOSITORY_URL, BRANCH and COMMIT; writes to
 * WORKSPACE.
 */
export const gitScript = `set -eu
export GIT_TERMINAL_PROMPT=0
if [ -n "\${GIT_TOKEN:-}" ]; then
  credentials=$(printf 'x-access-token:%s' "$GIT_TOKEN" | base64 | tr -d '\\n')
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=http.extraHeader
  export GIT_CONFIG_VALUE_0="Authorization: Basic $credentials"
fi
if [ -n "\${BRANCH:-}" ]; then
  git clone --branch "$BRANCH" --single-branch -- "$REPOSITORY_URL" "$WORKSPACE"
else
  git clone -- "$REPOSITORY_URL" "$WORKSPACE"
fi
cd "$WORKSPACE"
if ! git cat-file -e "$COMMIT^{commit}" 2>/dev/null; then
  git fetch origin "$COMMIT"
fi
git checkout --detach "$COMMIT"
git log -1 --format='Checked out %H %s'
`;
