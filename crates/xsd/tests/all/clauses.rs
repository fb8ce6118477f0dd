//! Instances against small schemas, by the clauses of Part 1.

use xsd::{Memory, Options, Schema};

fn schema(body: &str) -> Schema {
    let text = format!(
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns='urn:t' targetNamespace='urn:t' \
         elementFormDefault='qualified'>{body}</xs:schema>"
    );
    Schema::read_from(Memory::new().with("t.xsd", text), "t.xsd", &Options::default())
        .unwrap_or_else(|error| panic!("{error}\n{body}"))
}

/// Instances in the namespace of the schema, the root being `r`.
fn holds(body: &str, good: &[&str], bad: &[&str]) {
    let schema = schema(body);
    let whole = |inner: &str| {
        let at = inner.find([' ', '>', '/']).unwrap_or(0);
        let (name, rest) = inner.split_at(at);
        format!("{name} xmlns='urn:t' xmlns:t='urn:t' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'{rest}")
    };
    for inner in good {
        let checked = schema.validate(whole(inner).as_bytes(), &Options::default());
        assert!(checked.is_ok(), "{inner}: {}", checked.unwrap_err());
    }
    for inner in bad {
        let error = schema.validate(whole(inner).as_bytes(), &Options::default()).expect_err(inner);
        assert_eq!(error.kind(), tam::ErrorKind::Schema, "{inner}: {error}");
        assert!(error.position().is_some() && error.path().starts_with('/'), "{inner}: {error}");
    }
}

fn refused(body: &str) -> String {
    let text = format!(
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns='urn:t' targetNamespace='urn:t'>\n{body}</xs:schema>"
    );
    let error = Schema::read_from(Memory::new().with("t.xsd", text), "t.xsd", &Options::default()).expect_err(body);
    assert_eq!(error.path(), "t.xsd", "{error}");
    assert!(error.position().is_some(), "{error}");
    error.to_string()
}

#[test]
fn sequences_choices_and_occurrences() {
    let body = "<xs:element name='r'><xs:complexType><xs:sequence>
        <xs:element name='a' type='xs:int'/>
        <xs:choice minOccurs='0' maxOccurs='2'><xs:element name='b'/><xs:element name='c'/></xs:choice>
        <xs:element name='d' minOccurs='0' maxOccurs='unbounded'/></xs:sequence></xs:complexType></xs:element>";
    holds(
        body,
        &[
            "<r><a>1</a></r>",
            "<r><a>1</a><b/><c/></r>",
            "<r> <a> 1 </a> <d/> <d/><d/> </r>",
            "<r><!-- c --><a>1</a><?p?></r>",
        ],
        &[
            "<r/>",
            "<r><b/></r>",
            "<r><a>1</a><b/><c/><b/></r>",
            "<r><a>1</a><d/><b/></r>",
            "<r><a>x</a></r>",
            "<r>t<a>1</a></r>",
            "<r><a>1</a><a>1</a></r>",
            "<r><a xmlns=''>1</a></r>",
        ],
    );
}

#[test]
fn counts_are_kept_without_states() {
    let body = "<xs:element name='r'><xs:complexType><xs:sequence minOccurs='2' maxOccurs='3'>
        <xs:element name='a' minOccurs='2' maxOccurs='2'/><xs:element name='b' minOccurs='0'/>
        </xs:sequence></xs:complexType></xs:element>
        <xs:element name='s'><xs:complexType><xs:sequence><xs:element name='a' maxOccurs='100000'/></xs:sequence></xs:complexType></xs:element>";
    holds(
        body,
        &["<r><a/><a/><a/><a/></r>", "<r><a/><a/><b/><a/><a/><a/><a/><b/></r>"],
        &["<r><a/><a/></r>", "<r><a/><b/></r>", "<r><a/><a/><a/></r>", "<r><a/><a/><a/><a/><a/><a/><a/><a/></r>"],
    );
    let schema = schema(body);
    let instance = |count: usize| format!("<s xmlns='urn:t'>{}</s>", "<a/>".repeat(count));
    assert!(schema.validate(instance(100_000).as_bytes(), &Options::default()).is_ok());
    assert!(schema.validate(instance(100_001).as_bytes(), &Options::default()).is_err());
}

#[test]
fn all_groups_come_in_any_order() {
    let body = "<xs:element name='r'><xs:complexType><xs:all>
        <xs:element name='a'/><xs:element name='b' minOccurs='0'/><xs:element name='c'/></xs:all></xs:complexType></xs:element>";
    holds(
        body,
        &["<r><a/><c/></r>", "<r><c/><b/><a/></r>"],
        &["<r/>", "<r><a/></r>", "<r><a/><a/><c/></r>", "<r><a/><c/><d/></r>"],
    );
}

#[test]
fn attributes_are_required_fixed_prohibited_and_any() {
    let body = "<xs:attribute name='g' type='xs:int'/>
        <xs:complexType name='base'><xs:attribute name='a' type='xs:int' use='required'/><xs:attribute name='b' fixed='1.0' type='xs:decimal'/><xs:attribute name='c'/></xs:complexType>
        <xs:element name='r'><xs:complexType><xs:complexContent><xs:restriction base='base'>
        <xs:attribute name='c' use='prohibited'/></xs:restriction></xs:complexContent></xs:complexType></xs:element>
        <xs:element name='s'><xs:complexType><xs:anyAttribute namespace='##targetNamespace'/></xs:complexType></xs:element>
        <xs:element name='l'><xs:complexType><xs:anyAttribute namespace='##other' processContents='lax'/></xs:complexType></xs:element>";
    holds(
        body,
        &[
            "<r a='1'/>",
            "<r a='1' b='1'/>",
            "<s/>",
            "<s t:g='1'/>",
            "<l xml:lang='en' xmlns:u='urn:u' u:x='y'/>",
            "<r a='1' xsi:schemaLocation='a b'/>",
        ],
        &[
            "<r/>",
            "<r a='x'/>",
            "<r a='1' b='2'/>",
            "<r a='1' c=''/>",
            "<r a='1' d=''/>",
            "<s t:g='x'/>",
            "<s t:h='1'/>",
            "<s g='1'/>",
            "<l t:g='1'/>",
            "<l g='1'/>",
        ],
    );
}

#[test]
fn content_that_is_empty_simple_or_mixed() {
    let body = "<xs:element name='e'><xs:complexType/></xs:element>
        <xs:element name='m'><xs:complexType mixed='true'><xs:sequence><xs:element name='a' minOccurs='0'/></xs:sequence></xs:complexType></xs:element>
        <xs:element name='t'><xs:complexType mixed='true'/></xs:element>
        <xs:complexType name='price'><xs:simpleContent><xs:extension base='xs:decimal'><xs:attribute name='currency'/></xs:extension></xs:simpleContent></xs:complexType>
        <xs:element name='p'><xs:complexType><xs:simpleContent><xs:restriction base='price'><xs:maxExclusive value='100'/></xs:restriction></xs:simpleContent></xs:complexType></xs:element>";
    holds(
        body,
        &["<e/>", "<e></e>", "<e><!-- --></e>", "<m>a<a/>b</m>", "<t>x</t>", "<p currency='EUR'> 99.9 </p>"],
        &["<e> </e>", "<e>x</e>", "<e><a/></e>", "<m><b/></m>", "<t><a/></t>", "<p>100</p>", "<p><a/></p>", "<p/>"],
    );
}

/// Section 3.4.2: content is empty where a group is written without anything in it; that of particles which may not
/// occur has white space. A choice of none cannot be made.
#[test]
fn content_of_elements_that_may_not_occur_is_not_empty() {
    let body = "<xs:group name='none'><xs:sequence/></xs:group>
        <xs:element name='e'><xs:complexType><xs:sequence/></xs:complexType></xs:element>
        <xs:element name='c'><xs:complexType><xs:choice minOccurs='0'/></xs:complexType></xs:element>
        <xs:element name='n'><xs:complexType><xs:sequence><xs:element name='a' minOccurs='0' maxOccurs='0'/></xs:sequence></xs:complexType></xs:element>
        <xs:element name='g'><xs:complexType><xs:group ref='none'/></xs:complexType></xs:element>
        <xs:element name='s'><xs:complexType><xs:sequence><xs:sequence/></xs:sequence></xs:complexType></xs:element>
        <xs:element name='o'><xs:complexType><xs:choice><xs:element name='a'/><xs:sequence/></xs:choice></xs:complexType></xs:element>
        <xs:element name='q'><xs:complexType><xs:sequence><xs:choice><xs:element name='a'/><xs:choice><xs:element name='b'/><xs:group ref='none'/></xs:choice></xs:choice><xs:element name='c'/></xs:sequence></xs:complexType></xs:element>
        <xs:element name='i'><xs:complexType><xs:choice/></xs:complexType></xs:element>
        <xs:element name='j'><xs:complexType><xs:choice><xs:element name='a'/><xs:choice/></xs:choice></xs:complexType></xs:element>";
    holds(
        body,
        &[
            "<e/>",
            "<c/>",
            "<n/>",
            "<n> </n>",
            "<g/>",
            "<g> </g>",
            "<s> </s>",
            "<o/>",
            "<o><a/></o>",
            "<q><c/></q>",
            "<q><b/><c/></q>",
            "<j><a/></j>",
        ],
        &["<e> </e>", "<c> </c>", "<n>x</n>", "<n><a/></n>", "<g><a/></g>", "<q/>", "<q><a/></q>", "<i/>", "<j/>"],
    );
    // What the base must have may not be left out so.
    let restricted = |min: &str| {
        format!(
            "<xs:complexType name='base'><xs:sequence><xs:element name='a' minOccurs='{min}'/></xs:sequence></xs:complexType>
             <xs:element name='r'><xs:complexType><xs:complexContent><xs:restriction base='base'><xs:sequence>
             <xs:element name='a' minOccurs='0' maxOccurs='0'/></xs:sequence></xs:restriction></xs:complexContent></xs:complexType></xs:element>"
        )
    };
    holds(&restricted("0"), &["<r/>", "<r> </r>"], &["<r><a/></r>"]);
    assert!(
        refused(&restricted("1")).contains("no elements in a restriction of 'base'"),
        "{}",
        refused(&restricted("1"))
    );
}

#[test]
fn nil_default_and_fixed() {
    let body = "<xs:element name='r'><xs:complexType><xs:sequence>
        <xs:element name='n' type='xs:int' nillable='true' minOccurs='0'/>
        <xs:element name='d' type='xs:int' default='7' minOccurs='0'/>
        <xs:element name='f' type='xs:int' fixed='7' minOccurs='0'/>
        <xs:element name='i' type='xs:int' minOccurs='0'/></xs:sequence></xs:complexType></xs:element>";
    holds(
        body,
        &[
            "<r><n xsi:nil='true'/></r>",
            "<r><n xsi:nil='0'>1</n></r>",
            "<r><d/></r>",
            "<r><d>8</d></r>",
            "<r><f/></r>",
            "<r><f> 07 </f></r>",
        ],
        &[
            "<r><n/></r>",
            "<r><n xsi:nil='true'>1</n></r>",
            "<r><n xsi:nil='true'> </n></r>",
            "<r><i xsi:nil='false'>1</i></r>",
            "<r><f>8</f></r>",
            "<r><i/></r>",
            "<r><d>x</d></r>",
            "<r><n xsi:nil='no'>1</n></r>",
        ],
    );
}

#[test]
fn types_are_substituted_by_xsi_type() {
    let body = "<xs:complexType name='base' abstract='true'><xs:sequence><xs:element name='a'/></xs:sequence></xs:complexType>
        <xs:complexType name='more'><xs:complexContent><xs:extension base='base'><xs:sequence><xs:element name='b'/></xs:sequence></xs:extension></xs:complexContent></xs:complexType>
        <xs:complexType name='other'/>
        <xs:element name='r' type='base'/><xs:element name='blocked' type='base' block='extension'/>
        <xs:element name='i' type='xs:integer'/><xs:element name='any'/>";
    holds(
        body,
        &[
            "<r xsi:type='more'><a/><b/></r>",
            "<r xsi:type='t:more'><a/><b/></r>",
            "<i xsi:type='x:byte' xmlns:x='http://www.w3.org/2001/XMLSchema'>7</i>",
            "<any xsi:type='other'/>",
            "<any>x<y/></any>",
        ],
        &[
            "<r><a/></r>",
            "<r xsi:type='base'><a/></r>",
            "<r xsi:type='more'><a/></r>",
            "<r xsi:type='other'/>",
            "<r xsi:type='none'/>",
            "<blocked xsi:type='more'><a/><b/></blocked>",
            "<i xsi:type='x:byte' xmlns:x='http://www.w3.org/2001/XMLSchema'>700</i>",
            "<i xsi:type='x:string' xmlns:x='http://www.w3.org/2001/XMLSchema'>7</i>",
        ],
    );
}

#[test]
fn members_stand_in_the_place_of_their_head() {
    let body = "<xs:element name='head' type='xs:decimal' abstract='true'/>
        <xs:element name='m1' substitutionGroup='head'/>
        <xs:element name='m2' type='xs:byte' substitutionGroup='m1'/>
        <xs:element name='closed' type='xs:decimal' block='substitution'/>
        <xs:element name='m3' substitutionGroup='closed'/>
        <xs:element name='r'><xs:complexType><xs:sequence><xs:element ref='head' maxOccurs='2'/><xs:element ref='closed' minOccurs='0'/></xs:sequence></xs:complexType></xs:element>";
    holds(
        body,
        &["<r><m1>1.5</m1></r>", "<r><m2>1</m2><m1>1</m1></r>", "<r><m1>1</m1><closed>1</closed></r>"],
        &[
            "<r><head>1</head></r>",
            "<r><m2>1.5</m2></r>",
            "<r><m1>x</m1></r>",
            "<r><m1>1</m1><m3>1</m3></r>",
            "<r><m1>1</m1><m1>1</m1><m1>1</m1></r>",
        ],
    );
    let schema = schema(body);
    let head = schema.find_element("urn:t", "head").unwrap();
    let names = schema.elements[head].substitutes.iter().map(|id| schema.names.local(schema.elements[*id].name));
    assert_eq!(names.collect::<Vec<_>>(), ["m1", "m2"]);
}

#[test]
fn wildcards_are_strict_lax_or_skip() {
    let body = "<xs:element name='known' type='xs:int'/>
        <xs:element name='strict'><xs:complexType><xs:sequence><xs:any maxOccurs='unbounded'/></xs:sequence></xs:complexType></xs:element>
        <xs:element name='lax'><xs:complexType><xs:sequence><xs:any processContents='lax'/></xs:sequence></xs:complexType></xs:element>
        <xs:element name='skip'><xs:complexType><xs:sequence><xs:any processContents='skip' namespace='##targetNamespace ##local'/></xs:sequence></xs:complexType></xs:element>
        <xs:element name='other'><xs:complexType><xs:sequence><xs:any processContents='skip' namespace='##other'/></xs:sequence></xs:complexType></xs:element>";
    holds(
        body,
        &[
            "<strict><known>1</known></strict>",
            "<lax><known>1</known></lax>",
            "<lax><u><known>1</known></u></lax>",
            "<skip><known>x</known></skip>",
            "<skip><a xmlns=''/></skip>",
            "<other><a xmlns='urn:u' b='c'/></other>",
        ],
        &[
            "<strict><u/></strict>",
            "<strict><known>x</known></strict>",
            "<lax><known>x</known></lax>",
            "<lax><u><known>x</known></u></lax>",
            "<lax/>",
            "<skip><a xmlns='urn:u'/></skip>",
            "<other><a/></other>",
            "<other><a xmlns=''/></other>",
        ],
    );
}

#[test]
fn facets_of_all_steps_hold_together() {
    let body = "<xs:simpleType name='sku'><xs:restriction base='xs:string'><xs:pattern value='\\d{3}-[A-Z]{2}'/><xs:pattern value='none'/></xs:restriction></xs:simpleType>
        <xs:simpleType name='sku9'><xs:restriction base='sku'><xs:pattern value='9.*|none'/></xs:restriction></xs:simpleType>
        <xs:simpleType name='sizes'><xs:list><xs:simpleType><xs:union memberTypes='xs:int'><xs:simpleType><xs:restriction base='xs:token'><xs:enumeration value='small'/><xs:enumeration value='large'/></xs:restriction></xs:simpleType></xs:union></xs:simpleType></xs:list></xs:simpleType>
        <xs:simpleType name='two'><xs:restriction base='sizes'><xs:length value='2'/></xs:restriction></xs:simpleType>
        <xs:element name='k' type='sku9'/><xs:element name='s' type='two'/>
        <xs:element name='e'><xs:simpleType><xs:restriction base='xs:decimal'><xs:enumeration value='1.0'/><xs:enumeration value='2'/></xs:restriction></xs:simpleType></xs:element>
        <xs:element name='n'><xs:simpleType><xs:restriction base='xs:decimal'><xs:totalDigits value='4'/><xs:fractionDigits value='2'/><xs:minExclusive value='0'/></xs:restriction></xs:simpleType></xs:element>
        <xs:element name='h'><xs:simpleType><xs:restriction base='xs:hexBinary'><xs:minLength value='1'/><xs:maxLength value='2'/></xs:restriction></xs:simpleType></xs:element>
        <xs:element name='l'><xs:simpleType><xs:restriction base='xs:string'><xs:maxLength value='2'/><xs:whiteSpace value='collapse'/></xs:restriction></xs:simpleType></xs:element>";
    holds(
        body,
        &[
            "<k>926-AA</k>",
            "<k>none</k>",
            "<s>1 small</s>",
            "<s> large  2 </s>",
            "<e>1</e>",
            "<e>2.00</e>",
            "<n>12.34</n>",
            "<n>0012.340</n>",
            "<h>0fA0</h>",
            "<l> éé </l>",
        ],
        &[
            "<k>826-AA</k>",
            "<k>926-aa</k>",
            "<k> 926-AA</k>",
            "<s>1</s>",
            "<s>1 2 3</s>",
            "<s>1 medium</s>",
            "<e>3</e>",
            "<n>12.345</n>",
            "<n>12345</n>",
            "<n>0</n>",
            "<h/>",
            "<h>000000</h>",
            "<l>abc</l>",
        ],
    );
}

#[test]
fn ids_are_unique_and_referred_to() {
    let body = "<xs:element name='r'><xs:complexType><xs:sequence><xs:element name='a' minOccurs='0' maxOccurs='unbounded'><xs:complexType><xs:attribute name='id' type='xs:ID'/><xs:attribute name='to' type='xs:IDREFS'/></xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element>";
    holds(
        body,
        &["<r><a to='x y'/><a id='x'/><a id='y' to='x'/></r>"],
        &["<r><a id='x'/><a id='x'/></r>", "<r><a to='x z'/><a id='x'/></r>"],
    );
}

#[test]
fn keys_are_there_once_and_references_are_kept() {
    // After the example of section 3.11: states, vehicles, persons.
    let body = "<xs:element name='r'><xs:complexType><xs:sequence>
          <xs:element name='state' maxOccurs='unbounded' minOccurs='0'><xs:complexType><xs:sequence>
            <xs:element name='code' type='xs:token'/>
            <xs:element name='vehicle' minOccurs='0' maxOccurs='unbounded'><xs:complexType><xs:attribute name='plate' type='xs:int'/></xs:complexType></xs:element>
          </xs:sequence></xs:complexType>
          <xs:unique name='plates'><xs:selector xpath='t:vehicle'/><xs:field xpath='@plate'/></xs:unique></xs:element>
          <xs:element name='person' maxOccurs='unbounded' minOccurs='0'><xs:complexType><xs:attribute name='state' type='xs:token'/></xs:complexType></xs:element>
        </xs:sequence></xs:complexType>
        <xs:key name='states'><xs:selector xpath='.//t:state'/><xs:field xpath='t:code'/></xs:key>
        <xs:keyref name='ref' refer='states'><xs:selector xpath='t:person'/><xs:field xpath='@state'/></xs:keyref></xs:element>"
        .replace("name='r'", "name='r' xmlns:t='urn:t'");
    holds(
        &body,
        &[
            "<r/>",
            "<r><state><code>NY</code><vehicle plate='1'/><vehicle plate='2'/><vehicle/><vehicle/></state><state><code>NJ</code><vehicle plate='1'/></state><person state=' NY '/><person/></r>",
        ],
        &[
            "<r><state><code>NY</code></state><state><code> NY </code></state></r>",
            "<r><state><code>NY</code><vehicle plate='1'/><vehicle plate='01'/></state></r>",
            "<r><state><code>NY</code></state><person state='NJ'/></r>",
        ],
    );
}

#[test]
fn restrictions_allow_no_more_than_their_bases() {
    let base = "<xs:complexType name='base'><xs:sequence><xs:element name='a' type='xs:int' minOccurs='0' maxOccurs='3'/>
        <xs:choice><xs:element name='b'/><xs:any namespace='##other'/></xs:choice><xs:element name='c' nillable='false' minOccurs='0'/></xs:sequence></xs:complexType>";
    let restriction = |content: &str| {
        format!(
            "{base}<xs:complexType name='r'><xs:complexContent><xs:restriction base='base'>{content}</xs:restriction></xs:complexContent></xs:complexType>"
        )
    };
    for content in [
        "<xs:sequence><xs:element name='b'/></xs:sequence>",
        "<xs:sequence><xs:element name='a' type='xs:byte' maxOccurs='2'/><xs:element name='b'/><xs:element name='c'/></xs:sequence>",
        "<xs:sequence><xs:any namespace='urn:u'/></xs:sequence>",
        "<xs:sequence><xs:sequence minOccurs='0'><xs:element name='a' type='xs:int'/><xs:element name='a' type='xs:int'/></xs:sequence><xs:element name='b'/></xs:sequence>",
    ] {
        schema(&restriction(content));
    }
    for (content, words) in [
        ("<xs:sequence><xs:element name='a' type='xs:int'/></xs:sequence>", "an end after the element 'a'"),
        (
            "<xs:sequence><xs:element name='a' type='xs:int' maxOccurs='4'/><xs:element name='b'/></xs:sequence>",
            "the element 'a'",
        ),
        (
            "<xs:sequence><xs:element name='a' type='xs:decimal'/><xs:element name='b'/></xs:sequence>",
            "a type restricted from",
        ),
        ("<xs:sequence><xs:element name='b'/><xs:element name='c' nillable='true'/></xs:sequence>", "not nillable"),
        ("<xs:sequence><xs:any namespace='##any'/></xs:sequence>", "<any>"),
        ("<xs:sequence><xs:element name='b'/><xs:element name='d'/></xs:sequence>", "the element 'd'"),
    ] {
        let error = refused(&restriction(content));
        assert!(error.contains(words), "{content}\n{error}");
    }
}

#[test]
fn what_is_no_schema_is_refused_with_its_place() {
    for (body, words) in [
        ("<xs:element name='a' type='none'/>", "unknown type 'none': no document defines it in the namespace"),
        ("<xs:element name='a' type='xs:none'/>", "unknown type 'xs:none': no document defines it in the namespace"),
        ("<xs:element/>", "without a name"),
        ("<xs:element name='a:b'/>", "a name without a colon"),
        ("<xs:element name='a'/><xs:element name='a'/>", "a second time"),
        ("<xs:element name='a' foo='b'/>", "the attribute 'foo'"),
        ("<xs:foo/>", "<xs:foo>"),
        ("<xs:complexType name='a'><xs:sequence/><xs:choice/></xs:complexType>", "<xs:choice>"),
        (
            "<xs:complexType name='a'><xs:sequence><xs:element name='b' minOccurs='2' maxOccurs='1'/></xs:sequence></xs:complexType>",
            "maxOccurs=1 below minOccurs=2",
        ),
        (
            "<xs:complexType name='a'><xs:sequence><xs:element name='b' minOccurs='-1'/></xs:sequence></xs:complexType>",
            "minOccurs='-1'",
        ),
        (
            "<xs:complexType name='a'><xs:complexContent><xs:extension base='a'/></xs:complexContent></xs:complexType>",
            "'a'",
        ),
        (
            "<xs:complexType name='a'><xs:complexContent><xs:extension base='b'/></xs:complexContent></xs:complexType><xs:complexType name='b'><xs:complexContent><xs:extension base='a'/></xs:complexContent></xs:complexType>",
            "derived from itself",
        ),
        (
            "<xs:simpleType name='a'><xs:restriction base='b'/></xs:simpleType><xs:simpleType name='b'><xs:list itemType='a'/></xs:simpleType>",
            "which refers to itself",
        ),
        (
            "<xs:group name='a'><xs:sequence><xs:group ref='b'/></xs:sequence></xs:group><xs:group name='b'><xs:choice><xs:group ref='a'/></xs:choice></xs:group>",
            "contains itself",
        ),
        ("<xs:attributeGroup name='a'><xs:attributeGroup ref='a'/></xs:attributeGroup>", "which contains itself"),
        (
            "<xs:element name='a' substitutionGroup='b'/><xs:element name='b' substitutionGroup='a'/>",
            "substitutes itself",
        ),
        (
            "<xs:simpleType name='a'><xs:restriction base='xs:int'><xs:maxInclusive value='x'/></xs:restriction></xs:simpleType>",
            "a value of the base type",
        ),
        (
            "<xs:simpleType name='a'><xs:restriction base='xs:byte'><xs:maxInclusive value='200'/></xs:restriction></xs:simpleType>",
            "no wider than 127",
        ),
        (
            "<xs:simpleType name='a'><xs:restriction base='xs:int'><xs:length value='2'/></xs:restriction></xs:simpleType>",
            "<length>",
        ),
        (
            "<xs:simpleType name='a'><xs:restriction base='xs:string'><xs:pattern value='('/></xs:restriction></xs:simpleType>",
            "in a pattern",
        ),
        (
            "<xs:simpleType name='a'><xs:restriction base='xs:int'><xs:enumeration value='x'/></xs:restriction></xs:simpleType>",
            "an integer",
        ),
        ("<xs:element name='a' type='xs:int' default='x'/>", "an integer"),
        ("<xs:element name='a' default='x' fixed='y'/>", "one of the two"),
        ("<xs:complexType name='a'><xs:attribute name='b'/><xs:attribute name='b'/></xs:complexType>", "a second time"),
        (
            "<xs:complexType name='a'><xs:sequence><xs:element name='b' minOccurs='0'/><xs:element name='b'/></xs:sequence></xs:complexType>",
            "the element 'b'",
        ),
        (
            "<xs:complexType name='a'><xs:sequence><xs:any minOccurs='0'/><xs:element name='b'/></xs:sequence></xs:complexType>",
            "unique particle attribution",
        ),
        (
            "<xs:complexType name='a'><xs:sequence><xs:element name='b' type='xs:int'/><xs:element name='c'/><xs:element name='b' type='xs:byte'/></xs:sequence></xs:complexType>",
            "of one type",
        ),
        (
            "<xs:complexType name='a' final='#all'/><xs:complexType name='b'><xs:complexContent><xs:extension base='a'/></xs:complexContent></xs:complexType>",
            "not final",
        ),
        ("<xs:complexType name='a'><xs:all><xs:element name='b' maxOccurs='2'/></xs:all></xs:complexType>", "<all>"),
        ("<xs:include schemaLocation='none.xsd'/>", "'none.xsd', which cannot be read"),
        (
            "<xs:import namespace='urn:u' schemaLocation='none.xsd'/><xs:element name='a' xmlns:u='urn:u' type='u:x'/>",
            "an import of 'urn:u' without a document: its schemaLocation 'none.xsd' cannot be read",
        ),
        (
            "<xs:import namespace='urn:u'/><xs:element name='a' xmlns:u='urn:u' type='u:x'/>",
            "an import of 'urn:u' without a document: it has no schemaLocation",
        ),
        ("<xs:element name='a' xmlns:u='urn:u' type='u:x'/>", "a namespace that is not imported"),
        ("<xs:element name='a'>text</xs:element>", "text"),
        (
            "<xs:element name='a'><xs:key name='k'><xs:selector xpath='/a'/><xs:field xpath='@b'/></xs:key></xs:element>",
            "in an XPath",
        ),
    ] {
        let error = refused(body);
        assert!(error.contains(words), "{body}\n{error}");
        assert!(error.contains("line 2"), "{error}");
    }
}

/// Derivation valid (restriction), clause 5.4, of content too long to be walked in all its ways.
#[test]
fn long_restrictions_are_held_against_their_bases() {
    let many: String = (0..700).map(|n| format!("<xs:element name='e{n}' minOccurs='0'/>")).collect();
    let content = |ty: &str| {
        format!(
            "<xs:choice><xs:sequence><xs:element name='a'/><xs:element name='x' type='xs:{ty}'/></xs:sequence>
             <xs:sequence>{many}</xs:sequence></xs:choice>"
        )
    };
    let types = |base: &str, own: &str| {
        format!(
            "<xs:complexType name='b'>{}</xs:complexType>
             <xs:complexType name='r'><xs:complexContent><xs:restriction base='b'>{}</xs:restriction>
             </xs:complexContent></xs:complexType>",
            content(base),
            content(own)
        )
    };
    schema(&types("decimal", "int"));
    let error = refused(&types("int", "decimal"));
    assert!(error.contains("a type restricted from that of the base's element"), "{error}");
}

#[test]
fn restrictions_may_leave_out_what_may_be_absent() {
    let types = |base: &str, own: &str| {
        format!(
            "<xs:complexType name='b'>{base}</xs:complexType>
             <xs:complexType name='r'><xs:complexContent><xs:restriction base='b'>{own}</xs:restriction>
             </xs:complexContent></xs:complexType>"
        )
    };
    let element = |name: char, occurs: &str| {
        let (least, most) = occurs.split_once(',').unwrap();
        format!("<xs:element name='{name}' minOccurs='{least}' maxOccurs='{most}'/>")
    };
    // Elements by name and occurrences, `(` a sequence, `[` a choice.
    let content = |short: &str| -> String {
        let parts = short.split(' ').map(|part| match part {
            "(" => "<xs:sequence>".to_owned(),
            "(*" => "<xs:sequence minOccurs='0' maxOccurs='unbounded'>".to_owned(),
            "(2" => "<xs:sequence minOccurs='2' maxOccurs='2'>".to_owned(),
            ")" => "</xs:sequence>".to_owned(),
            "[" => "<xs:choice>".to_owned(),
            "]" => "</xs:choice>".to_owned(),
            part => {
                element(part.chars().next().unwrap(), part.get(1..).filter(|rest| !rest.is_empty()).unwrap_or("1,1"))
            }
        });
        parts.collect()
    };
    for (base, own) in [
        ("( a b0,1 c )", "( a c )"),
        ("( a b0,1 c0,5 )", "( a c1,3 )"),
        ("( [ a b c ] d )", "( [ a c ] d )"),
        ("( [ a b c ] d )", "( b d )"),
        ("( a (* b c ) d )", "( a d )"),
        ("( a (* b c ) d )", "( a (2 b c ) d )"),
        ("( a ( b c0,1 ) d )", "( ( a b ) d )"),
        ("( [ a ( b c ) ] )", "( ( b c ) )"),
    ] {
        schema(&types(&content(base), &content(own)));
    }
    for (base, own) in [
        ("( a b c )", "( a c )"),
        ("( a b0,1 c )", "( a b0,2 c )"),
        ("( a1,2 b )", "( a0,1 b )"),
        ("( [ a b c ] d )", "( [ a d ] d )"),
        ("( [ a b ] d )", "( [ a b ] )"),
        ("( a (2 b c ) d )", "( a (* b c ) d )"),
        ("( a0,1 b0,1 )", "( b0,1 a0,1 )"),
        ("( a ( b c ) d )", "( a b d )"),
        ("( [ a ( b c ) ] )", "( b )"),
    ] {
        let error = refused(&types(&content(base), &content(own)));
        assert!(error.contains("in a restriction of 'b'"), "{base} and {own}: {error}");
    }
}
