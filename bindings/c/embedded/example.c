/* Runs an example, whose main is called example here, and says how it ended. */
void say(const char *words);
void main_(void);
int example(void);

void main_(void) { say(example() == 0 ? "good example\n" : "BAD example\n"); }
