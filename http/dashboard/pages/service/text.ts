export const noBuildText = 'The first build starts once the branch is pushed.';
export const onlyRepositories = 'Only a service from a repository has builds.';
