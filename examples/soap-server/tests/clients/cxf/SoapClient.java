import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.xml.namespace.QName;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.endpoint.Client;
import org.apache.cxf.jaxws.endpoint.dynamic.JaxWsDynamicClientFactory;

/** Asks both literal ports of a service, knowing its description alone; CXF makes the types while it runs. */
class SoapClient {
    public static void main(String[] arguments) throws Exception {
        QName service = new QName("urn:GoogleSearch", "SearchService");
        int calls = 0;
        for (String port : new String[] {"LiteralPort", "Literal12Port"}) {
            Client client = JaxWsDynamicClientFactory.newInstance()
                .createClient(arguments[0], service, new QName("urn:GoogleSearch", port));
            // Faults of the sender have this status in SOAP 1.2.
            client.getRequestContext().put("org.apache.cxf.transport.process_fault_on_http_400", true);
            for (boolean mtom : new boolean[] {false, true}) {
                client.getRequestContext().put("mtom-enabled", mtom);
                calls += ask(client, mtom);
            }
        }
        System.out.println(calls + " calls");
    }

    /** Calls both operations; how often. What is sent by MTOM is answered by it. */
    static int ask(Client client, boolean mtom) throws Exception {
        int calls = 0;
        Random random = new Random(5);
        List<Double> data = new ArrayList<>();
        for (int n = 0; n < 100; n++) {
            data.add(random.nextGaussian());
            data.set(random.nextInt(data.size()), random.nextDouble() * 1e20);
            double sum = 0;
            for (double value : data) {
                sum += value;
            }
            Object[] answer = client.invoke("sum", data);
            expect(mtom, client.getResponseContext().get("Content-Type").toString().startsWith("multipart/related"));
            expect(data.size(), answer[0]);
            expect(sum, answer[1]);
            calls++;
        }
        for (String question : new String[] {"grid", "<again>", "é & ü"}) {
            Object[] answer = client.invoke("search", question, 0, 10, null, null);
            expect(question, answer[0]);
            expect(question.equals("é & ü") ? 0 : 1, answer[1]);
            calls++;
        }
        try {
            client.invoke("search", "", -1, 0, null, null);
            throw new AssertionError("no fault");
        } catch (SoapFault fault) {
            expect(true, fault.getMessage().contains("not negative"));
            calls++;
        }
        return calls;
    }

    static void expect(Object expected, Object found) {
        if (!expected.equals(found)) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }
}
