// What soapcpp2 makes the deserializers of gSOAP from.
//gsoap b service name: bench
//gsoap b service style: rpc
//gsoap b service encoding: encoded
//gsoap b schema namespace: urn:bsoap-bench
struct Doubles { double *__ptr; int __size; };
struct Ints { int *__ptr; int __size; };
struct b__Point { int x; int y; double v; };
struct Points { struct b__Point *__ptr; int __size; };
int b__sendDoubles(struct Doubles data, void);
int b__sendInts(struct Ints data, void);
int b__sendPoints(struct Points data, void);
