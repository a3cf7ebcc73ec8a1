/** The password of all users. */
export const password = 'open sesame';
/** The bcrypt hash of the password, for Node-RED's settings. */
const hash = '$2b$04$JMfJ3ozQsxQ/6DOLEpwesOQlXWHIPKNrjoFQhnTHolKzRY3h99rS6';

/** Returns the settings of a Node-RED whose editor has users. @param users their permissions by name */
export const settingsWith = (users: Readonly<Record<string, string | readonly string[]>>) => ({
  adminAuth: {
    type: 'credentials',
    users: Object.entries(users).map(([username, permissions]) => ({
      username,
      password: hash,
      permissions,
    })),
  },
});
