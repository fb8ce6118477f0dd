package peers;

import com.siemens.ct.exi.main.api.sax.SAXFactory;
import com.sun.xml.fastinfoset.sax.SAXDocumentParser;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Does what it is told on standard input, a line at a time, and answers each with a line:
 *
 * <pre>
 * versions                                                   the JVM and its libraries
 * document BYTES       the bytes of an XML document follow    readers, each with the bytes it reads: name=bytes;...
 * seen READER          what it finds                           elements attributes characters
 * warm READER SECONDS  runs it until it is compiled            the nanoseconds of its last run
 * run READER TIMES     runs it so often                        the nanoseconds it took
 * </pre>
 *
 * <p>A name of a reader has dots for its spaces. What goes wrong is answered with "error" and the reason.
 */
public final class Main {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** What readers give is put here, so that no reading can be left out. */
    static volatile Object sink;

    private static Map<String, Reading> readers = Map.of();

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
        if (words[0].equals("document")) {
            byte[] xml = new byte[Integer.parseInt(words[1])];
            in.readFully(xml);
            readers = Map.of();
            readers = Reading.all(xml);
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
                long end = System.nanoTime() + (long) (1e9 * Double.parseDouble(words[2]));
                long last;
                do {
                    last = run(reader, 1);
                } while (System.nanoTime() < end);
                return Long.toString(last);
            case "run":
                return Long.toString(run(reader, Integer.parseInt(words[2])));
            default:
                return "error what is " + words[0];
        }
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
