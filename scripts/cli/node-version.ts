/** Imported first by every command, before anything native is loaded: refuses a Node that is too old. */

/** The oldest Node that this project runs on. package.json repeats it in `engines`; a test compares them. */
export const oldestNode = [22, 14] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
  process.stderr.write(
    `This project needs Node ${oldestNode.join(".")} or newer; this is ${process.version}. ` +
      "Install a newer Node. On Linux, npm ci brings one: start the command with npm run.\n",
  );
  process.exit(1);
}
