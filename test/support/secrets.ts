/** Texts that look like secrets and are none, in parts: nobody who looks for secrets should find one here. */
export const githubToken = `ghp_${'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'}`
export const awsKey = `wJalrXUtnFEMI/K7MDENG/${'bPxRfiCYzEXkMPLzKE'}`
