package peers;

import com.siemens.ct.exi.core.grammars.Grammars;
import com.siemens.ct.exi.grammars.GrammarFactory;
import com.siemens.ct.exi.main.api.sax.SAXFactory;
import com.sun.xml.fastinfoset.sax.SAXDocumentParser;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Does what it is told on standard input, a line at a time, and answers each with a line:
 *
 * <pre>
 * versions                                                   the JVM and its libraries
 * grammar BYTES        the path of an XML Schema follows       "read"; documents from now on are EXI that knows it, too
 * document BYTES       the bytes of an XML document follow    readers, each with the bytes it reads: name=bytes;...
 * seen READER          what it finds                           elements attributes characters
 * warm READER          runs it until it gets no faster         the nanoseconds of a run then
 * run READER TIMES     runs it so often                        the nanoseconds it took
 * </pre>
 *
 * <p>A name of a reader has dots for its spaces. What goes wrong is answered with "error" and the reason.
 */
public final class Main {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Batches in a row that are no faster than one before them, when a reader is warm. */
    private static final int ALIKE = 8;
    private static final long BATCH_NANOSECONDS = 100_000_000;
    private static final double LEAST_SECONDS = 1.5;
    private static final double MOST_SECONDS = 20;

    /** What readers give is put here, so that no reading can be left out. */
    static volatile Object sink;

    private static Map<String, Reading> readers = Map.of();

    /** What the documents' schema says, where there is one. */
    private static Grammars grammars;

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(System.in);
        PrintStream out = System.out;
        // Libraries that talk must not be taken for answers.
        System.setOut(System.err);
        for (String line = line(in); line != null; line = line(in)) {
            String answer;
            try {
                answer = answer(line.split(" "), in);
            } catch (Exception | LinkageError | StackOverflowError error) {
                answer = "error " + error.toString().replace('\n', ' ');
            }
            out.println(answer);
            out.flush();
        }
    }

    private static String answer(String[] words, DataInputStream in) throws Exception {
        if (words[0].equals("versions")) {
            return "JDK " + System.getProperty("java.version")
                    + ", Fast Infoset " + version(SAXDocumentParser.class)
                    + ", EXIficient " + version(SAXFactory.class);
        }
        if (words[0].equals("grammar")) {
            grammars = null;
            grammars = GrammarFactory.newInstance().createGrammars(new String(bytes(words[1], in), StandardCharsets.UTF_8));
            return "read";
        }
        if (words[0].equals("document")) {
            byte[] xml = bytes(words[1], in);
            readers = Map.of();
            readers = Reading.all(xml, grammars);
            StringJoiner sizes = new StringJoiner(";");
            readers.forEach((name, reader) -> sizes.add(name + "=" + reader.message.length));
            return sizes.toString();
        }
        Reading reader = readers.get(words[1].replace('.', ' '));
        if (reader == null) {
            return "error there is no " + words[1];
        }
        switch (words[0]) {
            case "seen":
                Seen seen = reader.seen();
                return seen.elements + " " + seen.attributes + " " + seen.characters;
            case "warm":
                return Long.toString(warm(reader));
            case "run":
                return Long.toString(run(reader, Integer.parseInt(words[2])));
            default:
                return "error what is " + words[0];
        }
    }

    /**
     * Runs a reader until it gets no faster: its code is compiled on other threads, which take the longer
     * the more else the machine has to do.
     */
    private static long warm(Reading reader) throws Exception {
        long start = System.nanoTime();
        long best = Long.MAX_VALUE;
        int alike = 0;
        double seconds = 0;
        while ((alike < ALIKE || seconds < LEAST_SECONDS) && seconds < MOST_SECONDS) {
            long once = Math.max(1, run(reader, 1));
            int times = (int) Math.max(1, BATCH_NANOSECONDS / once);
            long mean = run(reader, times) / times;
            alike = mean < best - best / 50 ? 0 : alike + 1;
            best = Math.min(best, mean);
            seconds = (System.nanoTime() - start) / 1e9;
        }
        return best;
    }

    /** The version in the name of the library that a class is from. */
    private static String version(Class<?> of) {
        String path = of.getProtectionDomain().getCodeSource().getLocation().getPath();
        return path.replaceAll(".*-([0-9.]+)\\.jar", "$1");
    }

    /** Nanoseconds that this thread had the processor for. */
    private static long run(Reading reader, int times) throws Exception {
        long start = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < times; i++) {
            sink = reader.read();
        }
        return THREADS.getCurrentThreadCpuTime() - start;
    }

    private static byte[] bytes(String count, DataInputStream in) throws IOException {
        byte[] bytes = new byte[Integer.parseInt(count)];
        in.readFully(bytes);
        return bytes;
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return null;
            }
            line.append((char) c);
        }
        return line.toString();
    }
}
